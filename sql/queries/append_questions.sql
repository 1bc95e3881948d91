-- Append `batch` to questions; rows whose key is there already are left out.
INSERT INTO questions BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
