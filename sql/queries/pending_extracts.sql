-- Replies that the current extractor has not read. Cells whose scores use recorded extracts are read
-- too, so that the two can be compared. Parameters: $benchmark, $epoch, $extractor, $limit.
-- Grain: call_id, sample_index, question_hash.
SELECT DISTINCT
    samples.call_id,
    samples.sample_index,
    samples.question_hash,
    samples.completion_status,
    samples.text,
    samples.text_bytes
FROM samples_current AS samples
ANTI JOIN (
    SELECT *
    FROM extracts
    WHERE extractor = $extractor
) AS done
    ON
        samples.call_id = done.call_id
        AND samples.sample_index = done.sample_index
        AND samples.question_hash = done.question_hash
WHERE samples.benchmark = $benchmark AND samples.epoch = $epoch AND samples.is_reply
ORDER BY samples.question_hash, samples.text
LIMIT $limit;
