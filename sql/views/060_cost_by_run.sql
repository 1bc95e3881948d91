-- What each run asked and paid. Grain: run_id, purpose, model.
-- Columns:
--   requests: HTTP requests that came to an end; retries inside one are not counted
--   completions: samples that the requests brought
--   cached: samples that the run needed and found there already
--   input_tokens: billed once a request, however many samples it brought
--   cost_usd: US dollars at the registry's prices; NULL = no price known
CREATE OR REPLACE VIEW cost_by_run AS
WITH paid AS (
    SELECT
        run_id,
        purpose,
        model,
        count(*) AS requests,
        sum(n_returned) AS completions,
        sum(input_tokens) AS input_tokens,
        sum(cached_input_tokens) AS cached_input_tokens,
        sum(output_tokens) AS output_tokens,
        sum(reasoning_tokens) AS reasoning_tokens,
        sum(cost_usd) AS cost_usd
    FROM calls
    GROUP BY ALL
),

sat AS (
    SELECT *
    FROM sittings
    QUALIFY row_number() OVER (PARTITION BY run_id, question_id ORDER BY recorded_at DESC) = 1
),

found AS (
    SELECT
        sat.run_id,
        'sample' AS purpose,
        sat.model,
        count(DISTINCT row(sat.question_id, completions.sample_index)) FILTER (
            WHERE
            calls.run_id <> sat.run_id
            AND completions.received_at <= sat.recorded_at
            AND completions.status IN ('ok', 'truncated')
        ) AS n_found
    FROM sat
    LEFT JOIN completions
        ON
            sat.request_hash = completions.request_hash
            AND sat.epoch = completions.epoch
            AND sat.n_samples > completions.sample_index
    LEFT JOIN calls USING (call_id)
    GROUP BY ALL
)

SELECT
    run_id,
    purpose,
    model,
    coalesce(paid.requests, 0) AS requests,
    coalesce(paid.completions, 0) AS completions,
    coalesce(found.n_found, 0) AS cached,
    paid.input_tokens,
    paid.output_tokens,
    paid.cost_usd,
    paid.cached_input_tokens,
    paid.reasoning_tokens
FROM paid
FULL JOIN found USING (run_id, purpose, model);
