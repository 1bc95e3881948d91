-- Completions without their line in the ledger.
SELECT
    call_id,
    sample_index
FROM completions
ANTI JOIN calls USING (call_id);
