-- What an extractor read, beside what a person read in the same reply: recorded with an imported file,
-- or a correction. Sets of letters agree when they are equal; numbers within 0.01, or within 0.1 % from
-- 100 on; a number that is not whole is no answer to a question of type Integer; no answer agrees with
-- no answer. Grain: call_id, sample_index, question_hash, extractor, against.
-- Columns:
--   against: recorded or review
--   person: the person's answer; NULL = none
--   agrees: whether both give the same answer
CREATE OR REPLACE VIEW extract_agreements AS
WITH people AS (
    SELECT
        call_id,
        sample_index,
        question_hash,
        'recorded' AS against,
        answer AS person,
        status AS person_status
    FROM extracts
    WHERE extractor = 'recorded'
    UNION ALL
    SELECT
        call_id,
        sample_index,
        question_hash,
        'review' AS against,
        answer AS person,
        status AS person_status
    FROM extract_corrections_current
),

types AS (
    SELECT
        question_hash,
        any_value(type) AS type
    FROM questions
    GROUP BY question_hash
),

numbers AS (
    SELECT
        extracts.call_id,
        extracts.sample_index,
        extracts.question_hash,
        extracts.extractor,
        extracts.rule,
        extracts.answer,
        extracts.status,
        people.against,
        people.person,
        people.person_status,
        types.type = 'Integer' AS is_whole,
        types.type IN ('Integer', 'Numeric') AS is_number,
        try(extracts.answer::DOUBLE) AS read_number,
        try(people.person::DOUBLE) AS person_number
    FROM extracts
    INNER JOIN people
        ON
            extracts.call_id = people.call_id
            AND extracts.sample_index = people.sample_index
            AND extracts.question_hash = people.question_hash
    INNER JOIN types ON extracts.question_hash = types.question_hash
    WHERE extracts.extractor <> 'recorded'
),

meant AS (
    SELECT
        * EXCLUDE (read_number, person_number),
        CASE WHEN NOT is_whole OR read_number = round(read_number) THEN read_number END AS read_number,
        CASE WHEN NOT is_whole OR person_number = round(person_number) THEN person_number END AS person_number
    FROM numbers
)

SELECT
    call_id,
    sample_index,
    question_hash,
    extractor,
    rule,
    answer,
    status,
    against,
    person,
    person_status,
    CASE
        WHEN NOT is_number THEN coalesce(answer, '') = coalesce(person, '')
        WHEN read_number IS NULL OR person_number IS NULL THEN read_number IS NULL AND person_number IS NULL
        WHEN abs(person_number) >= 100 THEN abs(read_number - person_number) <= abs(person_number) / 1000
        ELSE abs(read_number - person_number) <= 0.01 + 1e-9
    END AS agrees
FROM meant;
