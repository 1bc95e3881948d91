-- Distinct answers of a benchmark that the current scorer has not marked.
-- Parameters: $benchmark, $epoch, $scorer.
-- Grain: question_hash, key_hash, scheme_hash, tolerance, status, answer.
SELECT DISTINCT
    questions.question_hash,
    questions.key_hash,
    questions.scheme_hash,
    choices.tolerance,
    answers.status,
    answers.answer,
    questions.type,
    questions.gold,
    questions.mark_correct,
    questions.mark_wrong,
    questions.mark_blank,
    questions.mark_partial_per_option
FROM answers_current AS answers
INNER JOIN questions_current AS questions USING (benchmark, question_id, question_hash)
INNER JOIN scoring_choices_current AS choices USING (benchmark, model, mode, epoch)
ANTI JOIN (
    SELECT *
    FROM scores
    WHERE scorer = $scorer
) AS done
    ON
        questions.question_hash = done.question_hash
        AND questions.key_hash = done.key_hash
        AND questions.scheme_hash = done.scheme_hash
        AND choices.tolerance = done.tolerance
        AND answers.status = done.extract_status
        AND answers.answer = done.answer
WHERE answers.benchmark = $benchmark AND answers.epoch = $epoch
ORDER BY ALL;
