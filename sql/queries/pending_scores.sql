-- Distinct answers of a benchmark that the current scorer has not marked: those that count, and, where
-- a person read a reply, the person's answer and those of every extractor.
-- Parameters: $benchmark, $epoch, $scorer.
-- Grain: question_hash, key_hash, scheme_hash, tolerance, status, answer.
WITH compared AS (
    SELECT
        samples.benchmark,
        samples.model,
        samples.mode,
        samples.epoch,
        samples.question_id,
        samples.question_hash,
        unnest([agreements.status, agreements.person_status]) AS status,
        unnest([coalesce(agreements.answer, ''), coalesce(agreements.person, '')]) AS answer
    FROM samples_current AS samples
    INNER JOIN extract_agreements AS agreements USING (call_id, sample_index, question_hash)
    WHERE samples.is_reply AND samples.benchmark = $benchmark AND samples.epoch = $epoch
),

answers AS (
    SELECT
        benchmark,
        model,
        mode,
        epoch,
        question_id,
        question_hash,
        status,
        answer
    FROM answers_current
    WHERE benchmark = $benchmark AND epoch = $epoch
    UNION
    SELECT *
    FROM compared
)

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
FROM answers
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
ORDER BY ALL;
