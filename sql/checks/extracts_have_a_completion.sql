-- Extracts of a completion that is not there.
SELECT
    call_id,
    sample_index,
    extracts.extractor
FROM extracts
ANTI JOIN completions USING (call_id, sample_index);
