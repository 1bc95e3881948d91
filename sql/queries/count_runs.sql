-- How many runs the database knows. Grain: one row.
SELECT count(*) AS n_runs
FROM run_starts;
