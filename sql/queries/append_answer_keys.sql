-- Append `batch` to answer_keys; rows whose key is there already are left out.
INSERT INTO answer_keys BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
