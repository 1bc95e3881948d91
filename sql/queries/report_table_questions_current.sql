-- The questions and keys of one benchmark or all, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT *
FROM questions_current
WHERE $benchmark IS NULL OR benchmark = $benchmark
ORDER BY benchmark, position, question_id;
