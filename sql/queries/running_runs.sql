-- Runs of one host that have no end yet. Parameters: $host. Grain: run_id.
SELECT
    run_id,
    process_id
FROM run_starts
ANTI JOIN run_ends USING (run_id)
WHERE host = $host;
