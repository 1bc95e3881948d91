-- The completion that stands for each slot of the cache: an `ok` one first, then a truncated, then the
-- newest failure. Among equal replies the first to arrive, so that a slot never changes once it is filled.
-- Grain: request_hash, epoch, sample_index.
CREATE OR REPLACE VIEW completions_current AS
SELECT *
FROM completions
QUALIFY row_number() OVER (
    PARTITION BY request_hash, epoch, sample_index
    ORDER BY
        CASE status WHEN 'ok' THEN 0 WHEN 'truncated' THEN 1 WHEN 'empty' THEN 2 ELSE 3 END,
        CASE WHEN status NOT IN ('ok', 'truncated', 'empty') THEN received_at END DESC,
        received_at,
        call_id
) = 1;
