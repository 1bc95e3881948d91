-- The score of every question of a benchmark, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT *
FROM scores_current
WHERE benchmark = $benchmark
ORDER BY model, mode, epoch, question_id;
