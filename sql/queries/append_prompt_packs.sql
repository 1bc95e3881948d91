-- Append `batch` to prompt_packs; rows whose key is there already are left out.
INSERT INTO prompt_packs BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
