-- The leaderboard of one benchmark or all, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT *
FROM leaderboard
WHERE $benchmark IS NULL OR benchmark = $benchmark
ORDER BY benchmark ASC, score DESC NULLS LAST, model ASC, mode ASC, epoch ASC, level ASC;
