-- Extracts whose status and answer contradict each other.
SELECT
    call_id,
    sample_index,
    extractor,
    status,
    answer
FROM extracts
WHERE (status = 'answered') <> (answer IS NOT NULL);
