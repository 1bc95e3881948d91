-- What guessing is worth of a benchmark, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT *
FROM random_baseline
WHERE benchmark = $benchmark
ORDER BY subject ASC NULLS FIRST, type ASC NULLS FIRST, n ASC;
