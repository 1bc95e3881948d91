-- What every run asked and paid, newest first. Grain: run_id, purpose, model.
SELECT
    runs.started_at,
    costs.run_id,
    runs.command,
    costs.purpose,
    costs.model,
    runs.mode,
    costs.requests,
    costs.completions,
    costs.cached,
    costs.input_tokens,
    costs.output_tokens,
    costs.cost_usd,
    runs.state
FROM cost_by_run AS costs
INNER JOIN runs USING (run_id)
ORDER BY runs.started_at DESC, costs.purpose, costs.model;
