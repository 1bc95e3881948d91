-- Append `batch` to run_starts; rows whose key is there already are left out.
INSERT INTO run_starts BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
