-- How many samples of planned requests are in the cache. Reads the frame `batch` (request_hash).
-- Parameters: $epoch, $n_samples, $reuse_truncated. Grain: one row.
SELECT count(*) AS n_cached
FROM batch
INNER JOIN completions_current AS completions USING (request_hash)
WHERE
    completions.epoch = $epoch
    AND completions.sample_index < $n_samples
    AND (completions.status = 'ok' OR (completions.status = 'truncated' AND $reuse_truncated));
