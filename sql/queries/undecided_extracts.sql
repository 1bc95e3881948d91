-- Replies that the rules could not read (ambiguous or unparsed) and that no request asks a model to
-- read yet, in cells whose scores use that model's reading: no other reading is paid for. Only whole
-- replies: a cut one has no end to read.
-- Parameters: $benchmark, $epoch, $rules, $extractor. Grain: call_id, sample_index, question_hash.
SELECT DISTINCT
    samples.call_id,
    samples.sample_index,
    samples.question_hash,
    samples.text,
    samples.text_bytes
FROM samples_current AS samples
INNER JOIN scoring_choices_current AS choices
    ON
        samples.benchmark = choices.benchmark
        AND samples.model = choices.model
        AND samples.mode = choices.mode
        AND samples.epoch = choices.epoch
        AND choices.extractor = $extractor
INNER JOIN extracts
    ON
        samples.call_id = extracts.call_id
        AND samples.sample_index = extracts.sample_index
        AND samples.question_hash = extracts.question_hash
        AND extracts.extractor = $rules
ANTI JOIN (
    SELECT
        read.call_id,
        read.sample_index,
        read.question_hash
    FROM extracts AS read
    WHERE read.extractor = $extractor
) AS done
    ON
        samples.call_id = done.call_id
        AND samples.sample_index = done.sample_index
        AND samples.question_hash = done.question_hash
WHERE
    samples.benchmark = $benchmark
    AND samples.epoch = $epoch
    AND samples.completion_status = 'ok'
    AND extracts.status IN ('ambiguous', 'unparsed')
ORDER BY samples.question_hash, samples.text, samples.call_id, samples.sample_index;
