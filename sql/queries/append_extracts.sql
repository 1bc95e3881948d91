-- Append `batch` to extracts; rows whose key is there already are left out.
INSERT INTO extracts BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
