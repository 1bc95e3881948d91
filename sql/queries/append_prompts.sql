-- Append `batch` to prompts; rows whose key is there already are left out.
INSERT INTO prompts BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
