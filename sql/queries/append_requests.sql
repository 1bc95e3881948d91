-- Append `batch` to requests; rows whose key is there already are left out.
INSERT INTO requests BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
