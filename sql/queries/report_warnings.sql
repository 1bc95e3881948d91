-- What a reader must know before comparing the lines of a benchmark's leaderboard.
-- Kinds: truncated and unparsed (over 5 % of replies), missing (kept questions without a score),
-- other_version (questions or keys changed since it sat), identical_samples (byte-equal replies at a
-- temperature above 0), no_interval. Parameters: $benchmark.
-- Grain: kind, model, mode, epoch. `n` of `n_of` questions; `rate` is a fraction of replies.
WITH board AS (
    SELECT *
    FROM leaderboard
    WHERE benchmark = $benchmark
),

other_versions AS (
    SELECT
        sittings.model,
        sittings.mode,
        sittings.epoch,
        count_if(runs.benchmark_hash <> current_version.benchmark_hash) AS n,
        count(*) AS n_of
    FROM sittings_current AS sittings
    INNER JOIN benchmark_hashes AS current_version USING (benchmark)
    INNER JOIN runs ON sittings.run_id = runs.run_id
    WHERE sittings.benchmark = $benchmark
    GROUP BY ALL
),

found AS (
    SELECT
        'truncated' AS kind,
        model,
        mode,
        epoch,
        NULL::BIGINT AS n,
        NULL::BIGINT AS n_of,
        truncated_rate AS rate
    FROM board
    WHERE truncated_rate > 0.05
    UNION ALL
    SELECT
        'unparsed' AS kind,
        model,
        mode,
        epoch,
        NULL AS n,
        NULL AS n_of,
        unparsed_rate AS rate
    FROM board
    WHERE unparsed_rate > 0.05
    UNION ALL
    SELECT
        'missing' AS kind,
        model,
        mode,
        epoch,
        n_expected - n_scored AS n,
        n_expected AS n_of,
        NULL AS rate
    FROM board
    WHERE n_scored < n_expected
    UNION ALL
    SELECT
        'no_interval' AS kind,
        model,
        mode,
        epoch,
        n_scored AS n,
        NULL AS n_of,
        NULL AS rate
    FROM board
    WHERE score IS NOT NULL AND (score_lower IS NULL OR score_upper IS NULL)
    UNION ALL
    SELECT
        'identical_samples' AS kind,
        model,
        mode,
        epoch,
        count(*) FILTER (WHERE is_suspicious) AS n,
        count(*) AS n_of,
        NULL AS rate
    FROM sample_variety
    WHERE benchmark = $benchmark AND coalesce(temperature > 0, TRUE)
    GROUP BY ALL
    HAVING count(*) FILTER (WHERE is_suspicious) > 0
    UNION ALL
    SELECT
        'other_version' AS kind,
        model,
        mode,
        epoch,
        n,
        n_of,
        NULL AS rate
    FROM other_versions
    WHERE n > 0
)

SELECT *
FROM found
ORDER BY ALL;
