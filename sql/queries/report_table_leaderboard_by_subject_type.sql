-- Mean scores by subject and type of a benchmark, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT *
FROM leaderboard_by_subject_type
WHERE benchmark = $benchmark
ORDER BY model ASC, mode ASC, epoch ASC, subject ASC NULLS FIRST, type ASC NULLS FIRST, n ASC;
