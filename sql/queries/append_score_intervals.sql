-- Append `batch` to score_intervals; rows whose key is there already are left out.
INSERT INTO score_intervals BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
