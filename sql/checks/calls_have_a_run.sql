-- Calls of a run that never started.
SELECT
    calls.call_id,
    run_id
FROM calls
ANTI JOIN run_starts USING (run_id);
