-- What the extraction model has replied and nobody has read yet, beside the reply that it was asked
-- about. Parameters: $extractor, $epoch. Grain: call_id, sample_index, question_hash.
SELECT
    asked.call_id,
    asked.sample_index,
    asked.question_hash,
    about.text,
    about.text_bytes,
    said.text AS said,
    said.text_bytes AS said_bytes
FROM extract_requests AS asked
INNER JOIN completions AS about
    ON asked.call_id = about.call_id AND asked.sample_index = about.sample_index
INNER JOIN completions_current AS said
    ON asked.request_hash = said.request_hash AND asked.epoch = said.epoch AND said.sample_index = 0
ANTI JOIN extracts
    ON
        asked.call_id = extracts.call_id
        AND asked.sample_index = extracts.sample_index
        AND asked.question_hash = extracts.question_hash
        AND asked.extractor = extracts.extractor
WHERE asked.extractor = $extractor AND asked.epoch = $epoch AND said.status IN ('ok', 'truncated', 'empty')
ORDER BY asked.question_hash, asked.call_id, asked.sample_index;
