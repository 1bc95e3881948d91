-- Append `batch` to exact_values; rows whose key is there already are left out.
INSERT INTO exact_values BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
