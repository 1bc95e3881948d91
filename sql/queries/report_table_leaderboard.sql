-- The leaderboard of a benchmark, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT *
FROM leaderboard
WHERE benchmark = $benchmark
ORDER BY score DESC NULLS LAST, model ASC, mode ASC, epoch ASC, level ASC;
