-- Why questions of a benchmark in an epoch have no reply: the status of their newest call, or not asked.
-- Parameters: $benchmark, $epoch. Grain: model, mode, status.
SELECT
    model,
    mode,
    coalesce(completion_status, 'not asked') AS status,
    count(DISTINCT question_id) AS n_questions
FROM samples_current
WHERE benchmark = $benchmark AND epoch = $epoch AND NOT is_reply
GROUP BY ALL
ORDER BY ALL;
