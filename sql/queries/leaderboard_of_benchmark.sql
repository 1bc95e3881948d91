-- The leaderboard of one benchmark, best first. Parameters: $benchmark. Grain: model, mode, epoch.
SELECT *
FROM leaderboard
WHERE benchmark = $benchmark
ORDER BY score DESC NULLS LAST, model, mode, epoch;
