-- What each question of a cell is asked now. Parameters: $benchmark, $model, $mode, $epoch.
-- Grain: question_id.
SELECT
    question_id,
    question_hash,
    request_hash,
    n_samples,
    aggregation
FROM sittings_current
WHERE benchmark = $benchmark AND model = $model AND mode = $mode AND epoch = $epoch;
