-- Append `batch` to model_parameters; rows whose key is there already are left out.
INSERT INTO model_parameters BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
