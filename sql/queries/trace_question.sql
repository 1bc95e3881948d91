-- One question from import to marks, in the order of its life.
-- Parameters: $benchmark, $question_id. Grain: one row a step.
WITH steps AS (
    SELECT
        1 AS step_order,
        'question' AS step,
        NULL AS model,
        NULL AS mode,
        NULL AS epoch,
        NULL::INTEGER AS sample_index,
        recorded_at AS at,
        type || ', ' || status || coalesce(' (' || reason || ')', '') || ', ' || question_hash AS what,
        question AS content
    FROM questions
    WHERE benchmark = $benchmark AND question_id = $question_id
    UNION ALL
    SELECT
        2 AS step_order,
        'key' AS step,
        NULL AS model,
        NULL AS mode,
        NULL AS epoch,
        NULL AS sample_index,
        recorded_at AS at,
        source AS what,
        gold AS content
    FROM answer_keys
    WHERE benchmark = $benchmark AND question_id = $question_id
    UNION ALL
    SELECT
        3 AS step_order,
        'prompt' AS step,
        sittings.model,
        sittings.mode,
        sittings.epoch,
        NULL AS sample_index,
        sittings.recorded_at AS at,
        requests.endpoint || ' ' || requests.api_name || ' ' || requests.parameters AS what,
        array_to_string(json_extract_string(prompts.messages, '$[*].content'), e'\n\n') AS content
    FROM sittings_current AS sittings
    INNER JOIN requests USING (request_hash)
    INNER JOIN prompts USING (prompt_hash)
    WHERE sittings.benchmark = $benchmark AND sittings.question_id = $question_id
    UNION ALL
    SELECT
        4 AS step_order,
        'completion' AS step,
        samples.model,
        samples.mode,
        samples.epoch,
        samples.sample_index,
        calls.started_at AS at,
        concat_ws(
            ', ',
            samples.completion_status,
            calls.served_model,
            calls.output_tokens || ' output tokens',
            calls.cost_usd || ' US$',
            calls.error
        ) AS what,
        samples.text AS content
    FROM samples_current AS samples
    INNER JOIN calls USING (call_id)
    WHERE samples.benchmark = $benchmark AND samples.question_id = $question_id
    UNION ALL
    SELECT
        5 AS step_order,
        'extract' AS step,
        model,
        mode,
        epoch,
        sample_index,
        NULL AS at,
        concat_ws(', ', status, extractor, 'rule ' || rule, 'characters ' || span_start || '-' || span_end)
            AS what,
        answer AS content
    FROM extracts_current
    WHERE benchmark = $benchmark AND question_id = $question_id
    UNION ALL
    SELECT
        5 AS step_order,
        'correction' AS step,
        samples.model,
        samples.mode,
        samples.epoch,
        samples.sample_index,
        corrections.recorded_at AS at,
        concat_ws(
            ', ',
            corrections.status,
            'by ' || nullif(corrections.reviewer, ''),
            nullif(corrections.note, '')
        ) AS what,
        corrections.answer AS content
    FROM samples_current AS samples
    INNER JOIN extract_corrections AS corrections USING (call_id, sample_index, question_hash)
    WHERE samples.benchmark = $benchmark AND samples.question_id = $question_id
    UNION ALL
    SELECT
        6 AS step_order,
        'score' AS step,
        model,
        mode,
        epoch,
        NULL AS sample_index,
        NULL AS at,
        concat_ws(', ', outcome, 'score ' || round(score, 4), 'mark ' || mark || ' of ' || max_mark) AS what,
        answer AS content
    FROM scores_current
    WHERE benchmark = $benchmark AND question_id = $question_id
)

SELECT
    steps.step,
    steps.model,
    steps.mode,
    steps.epoch,
    steps.sample_index,
    steps.at,
    steps.what,
    steps.content
FROM steps
ORDER BY
    steps.step_order,
    steps.model,
    steps.mode,
    steps.epoch,
    steps.sample_index,
    steps.at;
