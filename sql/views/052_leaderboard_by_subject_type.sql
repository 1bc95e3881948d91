-- Mean score by subject and type (Table 2 of the JEEBench paper).
-- Grain: benchmark, model, mode, epoch, subject ('' = none given), type (NULL = all).
-- Columns:
--   n: questions with a score
--   score: mean score, fraction 0-1
CREATE OR REPLACE VIEW leaderboard_by_subject_type AS
SELECT
    scores.benchmark,
    scores.model,
    scores.mode,
    scores.epoch,
    questions.subject,
    questions.type,
    count(scores.score) AS n,
    avg(scores.score) AS score
FROM scores_current AS scores
INNER JOIN (
    SELECT
        benchmark,
        question_id,
        type,
        coalesce(subject, '') AS subject
    FROM questions_current
) AS questions USING (benchmark, question_id)
GROUP BY scores.benchmark, scores.model, scores.mode, scores.epoch, CUBE (questions.subject, questions.type);
