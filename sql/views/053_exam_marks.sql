-- Marks under each exam's scheme. A void question is out of the total and of the maximum.
-- An exam whose name has no year stands on its own, below no year. Without a name or subject: ''.
-- Grain: benchmark, model, mode, epoch, year, exam, subject, type (NULL = all).
-- Columns:
--   positive: marks won
--   negative: marks lost, as a positive number
--   total: positive less negative
--   max_total: marks for all right
CREATE OR REPLACE VIEW exam_marks AS
SELECT
    scores.benchmark,
    scores.model,
    scores.mode,
    scores.epoch,
    questions.year,
    questions.exam,
    questions.subject,
    questions.type,
    coalesce(sum(scores.mark) FILTER (WHERE scores.mark > 0), 0) AS positive,
    coalesce(sum(-scores.mark) FILTER (WHERE scores.mark < 0), 0) AS negative,
    sum(scores.mark) AS total,
    sum(scores.max_mark) AS max_total,
    count(scores.mark) AS n
FROM scores_current AS scores
INNER JOIN (
    SELECT
        benchmark,
        question_id,
        year,
        type,
        coalesce(exam, '') AS exam,
        coalesce(subject, '') AS subject
    FROM questions_current
) AS questions USING (benchmark, question_id)
GROUP BY
    scores.benchmark,
    scores.model,
    scores.mode,
    scores.epoch,
    ROLLUP (questions.year, questions.exam),
    CUBE (questions.subject, questions.type)
HAVING questions.year IS NOT NULL OR grouping(questions.year) = 1 OR grouping(questions.exam) = 0;
