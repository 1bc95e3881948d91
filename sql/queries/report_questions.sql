-- The questions of a benchmark in order, as a page shows them.
-- Parameters: $benchmark. Grain: question_id.
SELECT
    question_id,
    exam,
    number,
    subject,
    type,
    status,
    reason,
    gold,
    question,
    options
FROM questions_current
WHERE benchmark = $benchmark
ORDER BY position, question_id;
