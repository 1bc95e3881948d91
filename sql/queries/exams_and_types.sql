-- The exams and types of a benchmark with the scheme that is recorded for each, if any.
-- Parameters: $benchmark. Grain: exam ('' = questions without one), type.
SELECT DISTINCT
    coalesce(exam, '') AS exam,
    type,
    scheme_hash
FROM questions_current
WHERE benchmark = $benchmark
ORDER BY ALL;
