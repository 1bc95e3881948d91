-- Every sample with what was read in it and what it is worth. Texts (and reasoning) are given as far
-- as they fit into $max_bytes: first those under 256 KiB, sample by sample; the others are NULL and
-- have only their size, `n_bytes`. Tokens and cost are those of the call, which brought `n_returned`.
-- Parameters: $benchmark, $max_bytes. Grain: question_id, model, mode, epoch, sample_index.
WITH replies AS (
    SELECT
        samples.question_id,
        samples.model,
        samples.mode,
        samples.epoch,
        samples.sample_index,
        samples.completion_status,
        samples.finish_reason,
        samples.call_id,
        requests.prompt_hash,
        extracts.answer,
        extracts.status,
        extracts.rule,
        extracts.span_start,
        extracts.span_end,
        extracts.candidates,
        extracts.extractor,
        scores.outcome,
        scores.score,
        scores.mark,
        scores.max_mark,
        calls.n_returned,
        calls.input_tokens,
        calls.output_tokens,
        calls.reasoning_tokens,
        calls.cost_usd,
        calls.served_model,
        calls.duration_s,
        calls.error,
        coalesce(strlen(samples.text), 0) + coalesce(strlen(completions.reasoning), 0) AS n_bytes
    FROM samples_current AS samples
    LEFT JOIN extracts_current AS extracts
        USING (benchmark, model, mode, epoch, question_id, sample_index)
    LEFT JOIN scores_by_sample AS scores
        USING (benchmark, model, mode, epoch, question_id, sample_index)
    LEFT JOIN requests ON samples.request_hash = requests.request_hash
    LEFT JOIN calls ON samples.call_id = calls.call_id
    LEFT JOIN completions
        ON samples.call_id = completions.call_id AND samples.sample_index = completions.sample_index
    WHERE samples.benchmark = $benchmark
),

fitted AS (
    SELECT
        *,
        sum(n_bytes) OVER (
            ORDER BY n_bytes >= 262144, sample_index, question_id, model, mode, epoch
            ROWS UNBOUNDED PRECEDING
        ) <= $max_bytes AS is_within
    FROM replies
)

SELECT
    fitted.* EXCLUDE (call_id),
    CASE WHEN fitted.is_within THEN completions.text END AS reply,
    CASE WHEN fitted.is_within THEN completions.reasoning END AS reasoning
FROM fitted
LEFT JOIN completions USING (call_id, sample_index)
ORDER BY fitted.question_id, fitted.model, fitted.mode, fitted.epoch, fitted.sample_index;
