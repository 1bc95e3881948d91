-- The leaderboard of one benchmark in one epoch, best first. Parameters: $benchmark, $epoch.
-- Grain: model, mode.
SELECT *
FROM leaderboard
WHERE benchmark = $benchmark AND epoch = $epoch
ORDER BY score DESC NULLS LAST, model, mode;
