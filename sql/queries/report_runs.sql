-- Runs of a benchmark, newest first, with what each asked and paid.
-- Parameters: $benchmark. Grain: run_id. `is_current`: scores of the leaderboard stand on it.
WITH paid AS (
    SELECT
        run_id,
        sum(requests) AS requests,
        sum(completions) AS completions,
        sum(cached) AS cached,
        sum(input_tokens) AS input_tokens,
        sum(output_tokens) AS output_tokens,
        sum(cost_usd) AS cost_usd
    FROM cost_by_run
    GROUP BY run_id
),

sat AS (
    SELECT DISTINCT run_id
    FROM sittings_current
    WHERE benchmark = $benchmark
)

SELECT
    runs.run_id,
    runs.command,
    runs.model,
    runs.mode,
    runs.epoch,
    runs.state,
    runs.message,
    runs.started_at,
    runs.finished_at,
    runs.benchmark_hash,
    runs.settings,
    runs.versions,
    runs.git_commit,
    runs.seed,
    paid.requests,
    paid.completions,
    paid.cached,
    paid.input_tokens,
    paid.output_tokens,
    paid.cost_usd,
    sat.run_id IS NOT NULL AS is_current
FROM runs
LEFT JOIN paid USING (run_id)
LEFT JOIN sat ON runs.run_id = sat.run_id
WHERE runs.benchmark = $benchmark
ORDER BY runs.started_at DESC, runs.run_id DESC;
