-- What has sat a benchmark. Parameters: $benchmark. Grain: model, mode, epoch.
SELECT DISTINCT
    benchmark,
    model,
    mode,
    epoch
FROM sittings_current
WHERE benchmark = $benchmark
ORDER BY ALL;
