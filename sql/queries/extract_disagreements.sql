-- Replies that a person should look at: what the rules read, and who reads something else. Reasons:
-- `recorded` (a person recorded another answer), `model` (the extraction model answers where the rules
-- could not), `undecided` (ambiguous or unparsed, and nobody else has read it). Replies that have a
-- correction already, and open questions, are left out. Columns: n_found counts all of them, those
-- beyond $limit too. Parameters: $benchmark, $model, $mode, $epoch (NULL = any), $rules,
-- $reason (NULL = any), $limit. Grain: model, mode, epoch, question_id, sample_index.
WITH read AS (
    SELECT
        samples.benchmark,
        samples.model,
        samples.mode,
        samples.epoch,
        samples.question_id,
        samples.sample_index,
        samples.call_id,
        samples.question_hash,
        samples.text,
        extracts.extractor,
        extracts.answer,
        extracts.status,
        extracts.rule,
        extracts.span_start,
        extracts.span_end,
        extracts.candidates
    FROM samples_current AS samples
    INNER JOIN extracts
        ON
            samples.call_id = extracts.call_id
            AND samples.sample_index = extracts.sample_index
            AND samples.question_hash = extracts.question_hash
    INNER JOIN questions_current AS questions
        ON
            samples.benchmark = questions.benchmark
            AND samples.question_id = questions.question_id
    WHERE
        samples.benchmark = $benchmark
        AND questions.type <> 'Open'
        AND samples.is_reply
        AND samples.model = coalesce($model, samples.model)
        AND samples.mode = coalesce($mode, samples.mode)
        AND samples.epoch = coalesce($epoch, samples.epoch)
),

compared AS (
    SELECT
        rules.*,
        recorded.person AS recorded_answer,
        by_model.answer AS model_answer,
        by_model.extractor AS model_extractor,
        CASE
            WHEN NOT recorded.agrees THEN 'recorded'
            WHEN recorded.call_id IS NOT NULL THEN NULL
            WHEN by_model.call_id IS NOT NULL AND rules.status IN ('ambiguous', 'unparsed') THEN 'model'
            WHEN rules.status IN ('ambiguous', 'unparsed') THEN 'undecided'
        END AS reason
    FROM read AS rules
    LEFT JOIN extract_agreements AS recorded
        ON
            rules.call_id = recorded.call_id
            AND rules.sample_index = recorded.sample_index
            AND rules.question_hash = recorded.question_hash
            AND rules.extractor = recorded.extractor
            AND recorded.against = 'recorded'
    LEFT JOIN read AS by_model
        ON
            rules.call_id = by_model.call_id
            AND rules.sample_index = by_model.sample_index
            AND rules.question_hash = by_model.question_hash
            AND by_model.status = 'answered'
            AND starts_with(by_model.extractor, $rules || '+')
    WHERE rules.extractor = $rules
    QUALIFY row_number() OVER (
        PARTITION BY rules.call_id, rules.sample_index, rules.question_hash
        ORDER BY by_model.extractor
    ) = 1
)

SELECT
    compared.*,
    count(*) OVER () AS n_found
FROM compared
ANTI JOIN extract_corrections AS corrected
    ON
        compared.call_id = corrected.call_id
        AND compared.sample_index = corrected.sample_index
        AND compared.question_hash = corrected.question_hash
WHERE compared.reason IS NOT NULL AND compared.reason = coalesce($reason, compared.reason)
ORDER BY
    compared.reason,
    compared.question_id,
    compared.model,
    compared.mode,
    compared.epoch,
    compared.sample_index
LIMIT $limit;
