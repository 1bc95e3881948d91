-- The runs of one benchmark or all, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT *
FROM runs
WHERE $benchmark IS NULL OR benchmark = $benchmark
ORDER BY benchmark, started_at, run_id;
