-- The score of every question of one benchmark or all, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT *
FROM scores_current
WHERE $benchmark IS NULL OR benchmark = $benchmark
ORDER BY benchmark, model, mode, epoch, question_id;
