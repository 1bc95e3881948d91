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

needed AS (
    SELECT
        run_id,
        'sample' AS purpose,
        model,
        sum(n_samples) AS n_needed
    FROM (
        SELECT *
        FROM sittings
        QUALIFY row_number() OVER (PARTITION BY run_id, question_id ORDER BY recorded_at DESC) = 1
    ) AS sat
    GROUP BY ALL
),

brought AS (
    SELECT
        calls.run_id,
        calls.purpose,
        calls.model,
        count(
            DISTINCT row(completions.request_hash, completions.epoch, completions.sample_index)
        ) AS n_brought
    FROM completions
    INNER JOIN calls USING (call_id)
    GROUP BY ALL
)

SELECT
    run_id,
    purpose,
    model,
    coalesce(paid.requests, 0) AS requests,
    coalesce(paid.completions, 0) AS completions,
    greatest(coalesce(needed.n_needed, 0) - coalesce(brought.n_brought, 0), 0) AS cached,
    paid.input_tokens,
    paid.output_tokens,
    paid.cost_usd,
    paid.cached_input_tokens,
    paid.reasoning_tokens
FROM paid
FULL JOIN needed USING (run_id, purpose, model)
LEFT JOIN brought USING (run_id, purpose, model);
