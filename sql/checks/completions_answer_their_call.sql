-- Completions under another request than the one that was called.
SELECT
    completions.call_id,
    completions.sample_index
FROM completions
INNER JOIN calls USING (call_id)
WHERE completions.request_hash <> calls.request_hash;
