-- All questions of a benchmark as they stand now. Parameters: $benchmark. Grain: question_id.
SELECT *
FROM questions_current
WHERE benchmark = $benchmark
ORDER BY position, question_id;
