-- The samples that a run still needs: no reusable reply, and not tried in vain too often. A prompt
-- that is too long for the model is asked once, any other `$max_attempts` times: blank and filtered
-- replies count from all runs, failed calls from this one.
-- `n_tried`: attempts that count towards the cap.
-- Parameters: $run_id, $max_attempts, $reuse_truncated. Grain: question_id, sample_index.
WITH sat AS (
    SELECT
        question_id,
        request_hash,
        epoch,
        n_samples
    FROM sittings
    WHERE run_id = $run_id
    QUALIFY row_number() OVER (PARTITION BY question_id ORDER BY recorded_at DESC) = 1
),

needed AS (
    SELECT
        *,
        unnest(range(n_samples)) AS sample_index
    FROM sat
),

tried AS (
    SELECT
        completions.request_hash,
        completions.epoch,
        completions.sample_index,
        bool_or(
            completions.status = 'ok' OR (completions.status = 'truncated' AND $reuse_truncated)
        ) AS is_there,
        bool_or(completions.status = 'context_overflow') AS is_too_long,
        count(*) FILTER (WHERE completions.status IN ('empty', 'filtered')) AS n_in_vain,
        count(*) FILTER (WHERE completions.status = 'error' AND calls.run_id = $run_id) AS n_failed
    FROM completions
    INNER JOIN calls USING (call_id)
    GROUP BY ALL
)

SELECT
    needed.question_id,
    needed.request_hash,
    needed.sample_index,
    coalesce(tried.n_in_vain, 0) + coalesce(tried.n_failed, 0) AS n_tried
FROM needed
LEFT JOIN tried USING (request_hash, epoch, sample_index)
WHERE
    NOT coalesce(tried.is_there, FALSE)
    AND NOT coalesce(tried.is_too_long, FALSE)
    AND coalesce(tried.n_in_vain, 0) + coalesce(tried.n_failed, 0) < $max_attempts
ORDER BY needed.question_id, needed.sample_index;
