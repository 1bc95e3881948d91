-- How often each rule of each extractor reads what people read in the same replies: what they recorded
-- with imported responses, and their corrections (see extract_agreements).
-- Grain: benchmark, model, mode, epoch, extractor, rule, against (NULL = nobody read any of them).
-- Columns:
--   against: recorded (a column of an imported file) or review (corrections)
--   n: replies that this rule decided
--   n_compared: of these, how many a person read
--   n_agree: of the compared ones, how many have the person's answer
--   n_score_equal: of the compared ones, how many score the same as the person's answer
--   precision: n_agree / n_compared, fraction 0-1
CREATE OR REPLACE VIEW extract_rules AS
WITH decided AS (
    SELECT
        samples.benchmark,
        samples.model,
        samples.mode,
        samples.epoch,
        extracts.extractor,
        extracts.rule,
        count(*) AS n
    FROM samples_current AS samples
    INNER JOIN extracts
        ON
            samples.call_id = extracts.call_id
            AND samples.sample_index = extracts.sample_index
            AND samples.question_hash = extracts.question_hash
    WHERE samples.is_reply AND extracts.extractor <> 'recorded'
    GROUP BY ALL
),

compared AS (
    SELECT
        benchmark,
        model,
        mode,
        epoch,
        extractor,
        rule,
        against,
        count(*) AS n_compared,
        count(*) FILTER (WHERE agrees) AS n_agree,
        count(*) FILTER (WHERE is_score_equal) AS n_score_equal
    FROM extract_comparisons
    GROUP BY ALL
)

SELECT
    decided.benchmark,
    decided.model,
    decided.mode,
    decided.epoch,
    decided.extractor,
    decided.rule,
    compared.against,
    decided.n,
    coalesce(compared.n_compared, 0) AS n_compared,
    coalesce(compared.n_agree, 0) AS n_agree,
    coalesce(compared.n_score_equal, 0) AS n_score_equal,
    compared.n_agree / compared.n_compared AS precision
FROM decided
LEFT JOIN compared USING (benchmark, model, mode, epoch, extractor, rule);
