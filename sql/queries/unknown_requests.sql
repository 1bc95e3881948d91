-- Requests of the frame `batch` (request_hash) that are not stored yet. Grain: request_hash.
SELECT request_hash
FROM batch
ANTI JOIN requests USING (request_hash);
