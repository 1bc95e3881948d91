-- What the runs of a benchmark asked and paid, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT ledger.*
FROM cost_by_run AS ledger
INNER JOIN runs USING (run_id)
WHERE runs.benchmark = $benchmark
ORDER BY ledger.run_id, ledger.purpose, ledger.model;
