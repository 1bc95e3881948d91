-- Mean scores by subject and type of one benchmark or all, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT *
FROM leaderboard_by_subject_type
WHERE $benchmark IS NULL OR benchmark = $benchmark
ORDER BY benchmark ASC, model ASC, mode ASC, epoch ASC, subject ASC NULLS FIRST, type ASC NULLS FIRST, n ASC;
