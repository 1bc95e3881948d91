-- The mark of each answer. Grain: benchmark, model, mode, epoch, question_id, sample_index (NULL = vote).
-- Columns:
--   score: JEEBench accuracy, fraction 0-1; NULL = void or unscored
--   mark: exam marks; those of a blank where the vote was a tie
CREATE OR REPLACE VIEW scores_by_sample AS
SELECT
    answers.benchmark,
    answers.model,
    answers.mode,
    answers.epoch,
    answers.question_id,
    answers.sample_index,
    nullif(answers.answer, '') AS answer,
    answers.status,
    scores.outcome,
    scores.score,
    CASE
        WHEN answers.is_tie AND scores.mark IS NOT NULL THEN questions.mark_blank
        ELSE scores.mark
    END AS mark,
    scores.max_mark
FROM answers_current AS answers
INNER JOIN questions_current AS questions USING (benchmark, question_id, question_hash)
INNER JOIN scoring_choices_current AS choices USING (benchmark, model, mode, epoch)
INNER JOIN scores_newest_scorer AS scores
    ON
        questions.question_hash = scores.question_hash
        AND questions.key_hash = scores.key_hash
        AND questions.scheme_hash = scores.scheme_hash
        AND choices.tolerance = scores.tolerance
        AND answers.status = scores.extract_status
        AND answers.answer = scores.answer;
