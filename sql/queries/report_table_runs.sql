-- The runs of a benchmark, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT *
FROM runs
WHERE benchmark = $benchmark
ORDER BY started_at, run_id;
