-- Append `batch` to scoring_choices; rows whose key is there already are left out.
INSERT INTO scoring_choices BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
