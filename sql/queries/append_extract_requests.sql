-- Append `batch` to extract_requests; rows whose key is there already are left out.
INSERT INTO extract_requests BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
