-- Completions without their line in the ledger.
SELECT
    call_id,
    completions.sample_index
FROM completions
ANTI JOIN calls USING (call_id);
