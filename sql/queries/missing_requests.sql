-- Planned requests that lack a sample in the cache. Reads the frame `batch` (request_hash).
-- Parameters: $epoch, $n_samples, $reuse_truncated. Grain: request_hash.
SELECT batch.request_hash
FROM batch
LEFT JOIN completions_current AS completions
    ON
        batch.request_hash = completions.request_hash
        AND completions.epoch = $epoch
        AND completions.sample_index < $n_samples
        AND (completions.status = 'ok' OR (completions.status = 'truncated' AND $reuse_truncated))
GROUP BY batch.request_hash
HAVING count(completions.request_hash) < $n_samples
ORDER BY batch.request_hash;
