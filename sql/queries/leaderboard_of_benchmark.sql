-- The leaderboard of one benchmark, best first; one epoch or all.
-- Parameters: $benchmark, $epoch (NULL = all). Grain: model, mode, epoch.
SELECT *
FROM leaderboard
WHERE benchmark = $benchmark AND ($epoch IS NULL OR epoch = $epoch)
ORDER BY score DESC NULLS LAST, model, mode, epoch;
