-- Append `batch` to run_ends; rows whose key is there already are left out.
INSERT INTO run_ends BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
