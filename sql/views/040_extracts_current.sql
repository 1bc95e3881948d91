-- What was read in each reply: by a person where one has corrected it, else by the extractor that the
-- cell's scores use. An extractor `<rules>+<model>` is the rules, and for the replies that they leave
-- ambiguous or unparsed what that model read.
-- Grain: benchmark, model, mode, epoch, question_id, sample_index.
-- Columns:
--   answer: normal form (letters sorted, numbers plain); NULL unless status is answered
--   status: answered, abstained, ambiguous, unparsed or truncated
--   rule: which rule of the extractor decided; `model` = the extraction model, `review` = a person
--   span_start: where in the reply the answer stands, 0-based characters; NULL = nowhere
--   span_end: end of it, exclusive
--   extractor: what read it; `review` = a person
CREATE OR REPLACE VIEW extracts_current AS
WITH read_by_model AS (
    SELECT *
    FROM extracts
    WHERE contains(extractor, '+') AND status IN ('answered', 'abstained')
)

SELECT
    samples.benchmark,
    samples.model,
    samples.mode,
    samples.epoch,
    samples.question_id,
    samples.sample_index,
    CASE
        WHEN corrected.call_id IS NOT NULL THEN corrected.answer
        WHEN read_by_model.call_id IS NOT NULL THEN read_by_model.answer
        ELSE extracts.answer
    END AS answer,
    coalesce(corrected.status, read_by_model.status, extracts.status) AS status,
    CASE
        WHEN corrected.call_id IS NOT NULL THEN 'review'
        ELSE coalesce(read_by_model.rule, extracts.rule)
    END AS rule,
    CASE WHEN corrected.call_id IS NULL AND read_by_model.call_id IS NULL THEN extracts.span_start END
        AS span_start,
    CASE WHEN corrected.call_id IS NULL AND read_by_model.call_id IS NULL THEN extracts.span_end END
        AS span_end,
    extracts.candidates,
    CASE
        WHEN corrected.call_id IS NOT NULL THEN 'review'
        ELSE coalesce(read_by_model.extractor, extracts.extractor)
    END AS extractor,
    samples.question_hash,
    samples.request_hash,
    samples.call_id,
    samples.n_samples,
    samples.aggregation,
    samples.completion_status,
    choices.tolerance
FROM samples_current AS samples
INNER JOIN scoring_choices_current AS choices USING (benchmark, model, mode, epoch)
INNER JOIN extracts
    ON
        samples.call_id = extracts.call_id
        AND samples.sample_index = extracts.sample_index
        AND samples.question_hash = extracts.question_hash
        AND split_part(choices.extractor, '+', 1) = extracts.extractor
LEFT JOIN read_by_model
    ON
        samples.call_id = read_by_model.call_id
        AND samples.sample_index = read_by_model.sample_index
        AND samples.question_hash = read_by_model.question_hash
        -- One equality: a condition on the left side alone would make this a nested loop.
        AND CASE WHEN extracts.status IN ('ambiguous', 'unparsed') THEN choices.extractor END
        = read_by_model.extractor
LEFT JOIN extract_corrections_current AS corrected
    ON
        samples.call_id = corrected.call_id
        AND samples.sample_index = corrected.sample_index
        AND samples.question_hash = corrected.question_hash
WHERE samples.is_reply;
