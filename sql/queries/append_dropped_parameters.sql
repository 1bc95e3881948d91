-- Append `batch` to dropped_parameters; rows whose key is there already are left out.
INSERT INTO dropped_parameters BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
