-- What was read in every reply of one benchmark or all, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT *
FROM extracts_current
WHERE $benchmark IS NULL OR benchmark = $benchmark
ORDER BY benchmark, model, mode, epoch, question_id, sample_index;
