-- What guessing is worth of one benchmark or all, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT *
FROM random_baseline
WHERE $benchmark IS NULL OR benchmark = $benchmark
ORDER BY benchmark ASC, subject ASC NULLS FIRST, type ASC NULLS FIRST, n ASC;
