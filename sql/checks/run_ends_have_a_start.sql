-- Ends of runs that never started.
SELECT run_id
FROM run_ends
ANTI JOIN run_starts USING (run_id);
