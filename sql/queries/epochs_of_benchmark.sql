-- Windows in which a benchmark was sat. Parameters: $benchmark. Grain: epoch.
SELECT DISTINCT epoch
FROM sittings
WHERE benchmark = $benchmark
ORDER BY epoch;
