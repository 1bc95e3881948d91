-- The leaderboard of a benchmark, best first, with what stands behind each line: how it was asked,
-- read, marked, and resampled. Parameters: $benchmark. Grain: model, mode, epoch.
-- Lists hold distinct values in order; `parameter_sets` is JSON text as sent. `is_scripted`: a program
-- of known strength, no model.
WITH asked AS (
    SELECT
        sittings.model,
        sittings.mode,
        sittings.epoch,
        min(sittings.n_samples) AS fewest_samples,
        max(sittings.n_samples) AS most_samples,
        min(sittings.aggregation) AS aggregation,
        list_sort(list(DISTINCT cast(requests.parameters AS VARCHAR))) AS parameter_sets,
        list_sort(list(DISTINCT requests.api_name)) AS api_names,
        list_sort(list(DISTINCT requests.endpoint)) AS endpoints,
        list_sort(list(DISTINCT sittings.run_id)) AS run_ids,
        list_sort(list_distinct(list(runs.settings ->> 'pack'))) AS packs,
        bool_or(requests.endpoint LIKE 'scripted:%') AS is_scripted
    FROM sittings_current AS sittings
    LEFT JOIN requests USING (request_hash)
    LEFT JOIN runs USING (run_id)
    WHERE sittings.benchmark = $benchmark
    GROUP BY ALL
),

received AS (
    SELECT
        samples.model,
        samples.mode,
        samples.epoch,
        count(*) AS n_replies,
        min(completions.received_at) AS first_reply_at,
        max(completions.received_at) AS last_reply_at
    FROM samples_current AS samples
    INNER JOIN completions USING (call_id, sample_index)
    WHERE samples.benchmark = $benchmark AND samples.is_reply
    GROUP BY ALL
),

resampled AS (
    SELECT
        vectors.*,
        intervals.level,
        intervals.n_resamples,
        intervals.seed,
        intervals.unit
    FROM score_vectors AS vectors
    INNER JOIN score_intervals AS intervals USING (benchmark, model, mode, epoch, scores_hash)
    WHERE vectors.benchmark = $benchmark
)

SELECT
    board.*,
    asked.fewest_samples,
    asked.most_samples,
    asked.aggregation,
    asked.parameter_sets,
    asked.api_names,
    asked.endpoints,
    asked.run_ids,
    asked.is_scripted,
    asked.packs,
    choices.extractor,
    choices.tolerance,
    resampled.n_resamples,
    resampled.seed AS resampling_seed,
    resampled.unit AS resampling_unit,
    coalesce(received.n_replies, 0) AS n_replies,
    received.first_reply_at,
    received.last_reply_at
FROM leaderboard AS board
INNER JOIN asked USING (model, mode, epoch)
LEFT JOIN received USING (model, mode, epoch)
LEFT JOIN scoring_choices_current AS choices USING (benchmark, model, mode, epoch)
LEFT JOIN resampled USING (benchmark, model, mode, epoch, level)
WHERE board.benchmark = $benchmark
ORDER BY board.score DESC NULLS LAST, board.model ASC, board.mode ASC, board.epoch ASC, board.level ASC;
