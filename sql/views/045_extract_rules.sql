-- How often each rule of each extractor reads what people read in the same replies: what they recorded
-- with imported responses, and their corrections. Numbers that are equal in value agree.
-- Grain: benchmark, model, mode, epoch, extractor, rule, against.
-- Columns:
--   against: recorded (a column of an imported file) or review (corrections)
--   n: replies that this rule decided and a person read
--   n_agree: of these, how many have the person's answer
--   precision: n_agree / n, fraction 0-1
CREATE OR REPLACE VIEW extract_rules AS
WITH people AS (
    SELECT
        call_id,
        sample_index,
        question_hash,
        'recorded' AS against,
        answer
    FROM extracts
    WHERE extractor = 'recorded'
    UNION ALL
    SELECT
        call_id,
        sample_index,
        question_hash,
        'review' AS against,
        answer
    FROM extract_corrections
    QUALIFY row_number() OVER (
        PARTITION BY call_id, sample_index, question_hash ORDER BY recorded_at DESC
    ) = 1
),

compared AS (
    SELECT
        samples.benchmark,
        samples.model,
        samples.mode,
        samples.epoch,
        extracts.extractor,
        extracts.rule,
        people.against,
        coalesce(extracts.answer, '') = coalesce(people.answer, '')
        OR coalesce(try(extracts.answer::DOUBLE) = try(people.answer::DOUBLE), FALSE)
            AS agrees
    FROM samples_current AS samples
    INNER JOIN extracts
        ON
            samples.call_id = extracts.call_id
            AND samples.sample_index = extracts.sample_index
            AND samples.question_hash = extracts.question_hash
            AND extracts.extractor <> 'recorded'
    INNER JOIN people
        ON
            samples.call_id = people.call_id
            AND samples.sample_index = people.sample_index
            AND samples.question_hash = people.question_hash
)

SELECT
    benchmark,
    model,
    mode,
    epoch,
    extractor,
    rule,
    against,
    count(*) AS n,
    count(*) FILTER (WHERE agrees) AS n_agree,
    count(*) FILTER (WHERE agrees) / count(*) AS precision
FROM compared
GROUP BY ALL;
