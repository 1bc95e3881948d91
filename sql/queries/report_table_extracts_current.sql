-- What was read in every reply of a benchmark, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT *
FROM extracts_current
WHERE benchmark = $benchmark
ORDER BY model, mode, epoch, question_id, sample_index;
