-- Append `batch` to calls; rows whose key is there already are left out.
INSERT INTO calls BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
