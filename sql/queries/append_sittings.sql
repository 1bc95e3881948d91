-- Append `batch` to sittings; rows whose key is there already are left out.
INSERT INTO sittings BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
