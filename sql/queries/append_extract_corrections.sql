-- Append `batch` to extract_corrections; rows whose key is there already are left out.
INSERT INTO extract_corrections BY NAME
SELECT * FROM batch
ON CONFLICT DO NOTHING;
