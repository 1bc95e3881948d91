-- How many kept questions a benchmark has (Table 1 of the JEEBench paper).
-- Grain: benchmark, subject ('' = none given), type (NULL = all).
CREATE OR REPLACE VIEW questions_by_subject_type AS
SELECT
    benchmark,
    subject,
    type,
    count(*) AS n
FROM (
    SELECT
        benchmark,
        coalesce(subject, '') AS subject,
        type
    FROM questions_current
    WHERE status = 'kept'
) AS kept
GROUP BY benchmark, CUBE (subject, type);
