-- Append `batch` to completions; rows whose key is there already are left out.
INSERT INTO completions BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
