-- One line for each model in each mode and epoch. Compare lines of one benchmark_hash only.
-- Grain: benchmark, model, mode, epoch.
-- Columns:
--   benchmark_hash: identity of the questions and keys that the scores are against
--   n_expected: kept questions of the benchmark, less the void ones
--   n_scored: questions that the score is over; fewer than n_expected = not finished, or failed calls
--   score: mean score, fraction 0-1
--   score_lower: bootstrap over questions; NULL until computed for these very scores
--   score_upper: see score_lower
--   level: nominal coverage of the interval, fraction
--   truncated_rate: share of replies that were cut off, fraction
--   unparsed_rate: share of replies with no readable answer, fraction
--   cost_usd: US dollars of the calls behind the scores; NULL = no price known
CREATE OR REPLACE VIEW leaderboard AS
WITH replies AS (
    SELECT
        benchmark,
        model,
        mode,
        epoch,
        avg((completion_status = 'truncated')::INTEGER) AS truncated_rate,
        avg((status IN ('unparsed', 'ambiguous'))::INTEGER) AS unparsed_rate
    FROM extracts_current
    GROUP BY ALL
),

costs AS (
    SELECT
        paid.benchmark,
        paid.model,
        paid.mode,
        paid.epoch,
        sum(calls.cost_usd) AS cost_usd
    FROM (
        SELECT DISTINCT
            benchmark,
            model,
            mode,
            epoch,
            call_id
        FROM samples_current
        WHERE call_id IS NOT NULL
    ) AS paid
    INNER JOIN calls USING (call_id)
    GROUP BY ALL
)

SELECT
    means.benchmark,
    means.model,
    means.mode,
    means.epoch,
    identities.benchmark_hash,
    identities.n - means.n_void AS n_expected,
    means.n_scored,
    means.score,
    intervals.lower AS score_lower,
    intervals.upper AS score_upper,
    intervals.level,
    replies.truncated_rate,
    replies.unparsed_rate,
    costs.cost_usd
FROM score_vectors AS means
LEFT JOIN benchmark_hashes AS identities USING (benchmark)
LEFT JOIN replies USING (benchmark, model, mode, epoch)
LEFT JOIN costs USING (benchmark, model, mode, epoch)
LEFT JOIN score_intervals AS intervals USING (benchmark, model, mode, epoch, scores_hash)
ORDER BY
    means.benchmark ASC,
    means.score DESC NULLS LAST,
    means.model ASC,
    means.mode ASC,
    means.epoch ASC;
