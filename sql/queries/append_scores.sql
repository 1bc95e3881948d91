-- Append `batch` to scores; rows whose key is there already are left out.
INSERT INTO scores BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
