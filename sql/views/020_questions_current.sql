-- Each question as it stands now, with its newest key and its exam's marking scheme.
-- Grain: benchmark, question_id.
-- Columns:
--   exam: the paper, as in JEEBench's description
--   number: the question's number in its exam
--   year: four digits read off the exam's name; NULL where it has none
--   question: whole LaTeX text, options included
--   options: JSON object, label to text; empty for types without options
--   gold: newest key as published; NULL = no key
--   status: kept, dropped (with a reason) or flagged
--   question_hash: identity of type, text and options
CREATE OR REPLACE VIEW questions_current AS
WITH newest AS (
    SELECT *
    FROM questions
    QUALIFY row_number() OVER (PARTITION BY benchmark, question_id ORDER BY recorded_at DESC) = 1
),

keys AS (
    SELECT *
    FROM answer_keys
    QUALIFY row_number() OVER (PARTITION BY benchmark, question_id ORDER BY recorded_at DESC) = 1
),

schemes AS (
    SELECT *
    FROM marking_schemes
    QUALIFY row_number() OVER (PARTITION BY benchmark, exam, type ORDER BY recorded_at DESC) = 1
)

SELECT
    newest.benchmark,
    newest.question_id,
    newest.exam,
    newest.number,
    newest.subject,
    newest.type,
    newest.question,
    newest.options,
    keys.gold,
    newest.has_figure,
    newest.status,
    newest.reason,
    try_cast(nullif(regexp_extract(newest.exam, '(?:19|20)[0-9]{2}'), '') AS INTEGER) AS year,
    newest.position,
    newest.extra,
    newest.question_hash,
    coalesce(keys.key_hash, '') AS key_hash,
    schemes.scheme_hash,
    schemes.correct AS mark_correct,
    schemes.wrong AS mark_wrong,
    schemes.blank AS mark_blank,
    schemes.partial_per_option AS mark_partial_per_option
FROM newest
LEFT JOIN keys USING (benchmark, question_id)
LEFT JOIN schemes
    ON
        newest.benchmark = schemes.benchmark
        AND coalesce(newest.exam, '') = schemes.exam
        AND newest.type = schemes.type;
