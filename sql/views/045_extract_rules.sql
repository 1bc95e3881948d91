-- How often each rule of each extractor reads what people read in the same replies (see
-- extract_agreements). Grain: benchmark, model, mode, epoch, extractor, rule, against.
-- Columns:
--   against: recorded (a column of an imported file) or review (corrections)
--   n: replies that this rule decided and a person read
--   n_agree: of these, how many have the person's answer
--   precision: n_agree / n, fraction 0-1
CREATE OR REPLACE VIEW extract_rules AS
SELECT
    samples.benchmark,
    samples.model,
    samples.mode,
    samples.epoch,
    agreements.extractor,
    agreements.rule,
    agreements.against,
    count(*) AS n,
    count(*) FILTER (WHERE agreements.agrees) AS n_agree,
    count(*) FILTER (WHERE agreements.agrees) / count(*) AS precision
FROM samples_current AS samples
INNER JOIN extract_agreements AS agreements USING (call_id, sample_index, question_hash)
GROUP BY ALL;
