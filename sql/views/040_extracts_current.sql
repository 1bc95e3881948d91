-- What was read in each reply, by the extractor that the cell's scores use.
-- Grain: benchmark, model, mode, epoch, question_id, sample_index.
-- Columns:
--   answer: normal form (letters sorted, numbers plain); NULL unless status is answered
--   status: answered, abstained, ambiguous, unparsed or truncated
--   rule: which rule of the extractor decided
--   span_start: where in the reply the answer stands, 0-based characters; NULL = nowhere
--   span_end: end of it, exclusive
CREATE OR REPLACE VIEW extracts_current AS
SELECT
    samples.benchmark,
    samples.model,
    samples.mode,
    samples.epoch,
    samples.question_id,
    samples.sample_index,
    extracts.answer,
    extracts.status,
    extracts.rule,
    extracts.span_start,
    extracts.span_end,
    extracts.candidates,
    extracts.extractor,
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
        AND choices.extractor = extracts.extractor
WHERE samples.is_reply;
