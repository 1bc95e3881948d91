-- The score of each question that was sat. With several samples under `mean` it is the mean of their
-- scores and marks, and the answer is shown only where all agree.
-- Grain: benchmark, model, mode, epoch, question_id.
-- Columns:
--   outcome: correct, partial, wrong, blank, unparsed, truncated; void or unscored have no score
--   score: JEEBench accuracy, fraction 0-1
--   mark: exam marks
--   max_mark: marks for a right answer
CREATE OR REPLACE VIEW scores_current AS
WITH per_question AS (
    SELECT
        benchmark,
        model,
        mode,
        epoch,
        question_id,
        count(*) AS n_answers,
        count(DISTINCT outcome) AS n_outcomes,
        count(DISTINCT coalesce(answer, '')) AS n_distinct_answers,
        min(outcome) AS outcome,
        min(answer) AS answer,
        avg(score) AS score,
        avg(mark) AS mark,
        max(max_mark) AS max_mark
    FROM scores_by_sample
    GROUP BY ALL
)

SELECT
    sittings.benchmark,
    sittings.model,
    sittings.mode,
    sittings.epoch,
    sittings.question_id,
    CASE WHEN per_question.n_distinct_answers = 1 THEN per_question.answer END AS answer,
    CASE
        WHEN per_question.n_answers IS NULL THEN 'unscored'
        WHEN per_question.n_outcomes = 1 THEN per_question.outcome
        WHEN per_question.score > 0 THEN 'partial'
        ELSE 'wrong'
    END AS outcome,
    per_question.score,
    per_question.mark,
    per_question.max_mark,
    coalesce(per_question.n_answers, 0) AS n_answers,
    sittings.question_hash
FROM sittings_current AS sittings
LEFT JOIN per_question USING (benchmark, model, mode, epoch, question_id);
