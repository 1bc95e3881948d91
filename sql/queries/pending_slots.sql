-- The samples that planned requests still need: no reusable reply, and not tried in vain too often. A
-- prompt that is too long for the model is asked once, any other `$max_attempts` times: blank and
-- filtered replies count from all runs, failed calls from this one.
-- Reads the frame `batch` (request_hash, position). `n_tried`: attempts that count towards the cap.
-- Parameters: $run_id, $epoch, $n_samples, $max_attempts, $reuse_truncated.
-- Grain: request_hash, sample_index, in the order of the plan.
WITH needed AS (
    SELECT
        *,
        unnest(range($n_samples)) AS sample_index
    FROM batch
),

tried AS (
    SELECT
        completions.request_hash,
        completions.sample_index,
        bool_or(
            completions.status = 'ok' OR (completions.status = 'truncated' AND $reuse_truncated)
        ) AS is_there,
        bool_or(completions.status = 'context_overflow') AS is_too_long,
        count(*) FILTER (WHERE completions.status IN ('empty', 'filtered')) AS n_in_vain,
        count(*) FILTER (WHERE completions.status = 'error' AND calls.run_id = $run_id) AS n_failed
    FROM completions
    INNER JOIN calls USING (call_id)
    WHERE completions.epoch = $epoch
    GROUP BY ALL
)

SELECT
    needed.request_hash,
    needed.sample_index,
    coalesce(tried.n_in_vain, 0) + coalesce(tried.n_failed, 0) AS n_tried
FROM needed
LEFT JOIN tried USING (request_hash, sample_index)
WHERE
    NOT coalesce(tried.is_there, FALSE)
    AND NOT coalesce(tried.is_too_long, FALSE)
    AND coalesce(tried.n_in_vain, 0) + coalesce(tried.n_failed, 0) < $max_attempts
ORDER BY needed.position, needed.sample_index;
