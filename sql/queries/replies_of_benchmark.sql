-- The replies of a benchmark that can be corrected. Parameters: $benchmark.
-- Grain: call_id, sample_index, question_hash.
SELECT DISTINCT
    call_id,
    sample_index,
    question_hash,
    question_id
FROM samples_current
WHERE benchmark = $benchmark AND is_reply;
