-- Runs of one host that have no end yet. Parameters: $host. Grain: run_id.
SELECT
    run_id,
    process_id,
    started_at
FROM run_starts
ANTI JOIN run_ends USING (run_id)
WHERE host = $host;
