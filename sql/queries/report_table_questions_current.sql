-- The questions and keys of a benchmark, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT *
FROM questions_current
WHERE benchmark = $benchmark
ORDER BY position, question_id;
