-- Append `batch` to marking_schemes; rows whose key is there already are left out.
INSERT INTO marking_schemes BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
