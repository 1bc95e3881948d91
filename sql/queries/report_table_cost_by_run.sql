-- What the runs of a benchmark asked and paid, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT ledger.*
FROM cost_by_run AS ledger
INNER JOIN runs USING (run_id)
WHERE $benchmark IS NULL OR runs.benchmark = $benchmark
ORDER BY ledger.run_id, ledger.purpose, ledger.model;
