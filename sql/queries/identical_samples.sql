-- Questions whose samples at a temperature above 0 are byte-equal: their agreement says nothing.
-- `temperature` NULL: the server's own, which may be anything.
-- Parameters: $benchmark, $epoch. Grain: model, mode, epoch.
SELECT
    model,
    mode,
    epoch,
    n_samples,
    temperature,
    count(*) AS n_questions
FROM sample_variety
WHERE benchmark = $benchmark AND epoch = $epoch AND is_suspicious
GROUP BY ALL
ORDER BY ALL;
