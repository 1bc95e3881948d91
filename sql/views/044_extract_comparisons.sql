-- What an extractor read in a sample, and what it scores, beside what a person read in it (see
-- extract_agreements). Grain: benchmark, model, mode, epoch, question_id, sample_index, extractor, against.
-- Columns:
--   against: recorded or review
--   person: the person's answer; NULL = none
--   agrees: whether both give the same answer
--   score: what the extractor's answer scores by itself, fraction 0-1; NULL = void or not marked yet
--   person_score: the same for the person's answer
--   is_score_equal: whether both score the same; NULL = one of them is not marked yet
CREATE OR REPLACE VIEW extract_comparisons AS
SELECT
    samples.benchmark,
    samples.model,
    samples.mode,
    samples.epoch,
    samples.question_id,
    samples.sample_index,
    agreements.extractor,
    agreements.rule,
    agreements.answer,
    agreements.against,
    agreements.person,
    agreements.agrees,
    read_scores.score,
    person_scores.score AS person_score,
    CASE
        WHEN read_scores.outcome IS NULL OR person_scores.outcome IS NULL THEN NULL
        ELSE coalesce(read_scores.score, -1) = coalesce(person_scores.score, -1)
    END AS is_score_equal
FROM samples_current AS samples
INNER JOIN extract_agreements AS agreements USING (call_id, sample_index, question_hash)
INNER JOIN questions_current AS questions USING (benchmark, question_id, question_hash)
INNER JOIN scoring_choices_current AS choices USING (benchmark, model, mode, epoch)
LEFT JOIN scores_newest_scorer AS read_scores
    ON
        questions.question_hash = read_scores.question_hash
        AND questions.key_hash = read_scores.key_hash
        AND questions.scheme_hash = read_scores.scheme_hash
        AND choices.tolerance = read_scores.tolerance
        AND agreements.status = read_scores.extract_status
        AND coalesce(agreements.answer, '') = read_scores.answer
LEFT JOIN scores_newest_scorer AS person_scores
    ON
        questions.question_hash = person_scores.question_hash
        AND questions.key_hash = person_scores.key_hash
        AND questions.scheme_hash = person_scores.scheme_hash
        AND choices.tolerance = person_scores.tolerance
        AND agreements.person_status = person_scores.extract_status
        AND coalesce(agreements.person, '') = person_scores.answer
WHERE samples.is_reply;
