-- Runs of one host that have no end yet. Parameters: $host. Grain: run_id.
SELECT
    run_id,
    run_starts.process_id,
    run_starts.started_at
FROM run_starts
ANTI JOIN run_ends USING (run_id)
WHERE run_starts.host = $host;
