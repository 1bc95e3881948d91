-- The kept questions of a benchmark, in the benchmark's order, narrowed by what is not NULL.
-- Parameters: $benchmark, $subject, $type, $exam, $limit. Grain: question_id.
SELECT *
FROM questions_current
WHERE
    benchmark = $benchmark
    AND status = 'kept'
    AND ($subject IS NULL OR subject = $subject)
    AND ($type IS NULL OR type = $type)
    AND ($exam IS NULL OR exam = $exam)
ORDER BY position, question_id
LIMIT coalesce($limit, 9223372036854775807);
