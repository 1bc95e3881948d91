-- Exact expected score of guessing at random: for MCQ one option, for MCQ(multiple) any subset of the
-- options, the empty one included; other types cannot be guessed. With k right options of n the sum
-- over subsets is (1 + 0.25 * (k * 2^(k-1) - k)) / 2^n: the full mark for the exact set, 0.25 for each
-- right option of its proper subsets.
-- Grain: benchmark, subject ('' = none given), type (NULL = all).
-- Columns:
--   n: questions that the mean is over; a key with alternatives or a range is left out
--   score: expected score, fraction 0-1
CREATE OR REPLACE VIEW random_baseline AS
WITH counted AS (
    SELECT
        * REPLACE (coalesce(subject, '') AS subject),
        len(json_keys(options)) AS n_options,
        len(regexp_replace(gold, '[^A-J]', '', 'g')) AS n_right
    FROM questions_current
    WHERE
        status = 'kept'
        AND (type NOT IN ('MCQ', 'MCQ(multiple)') OR regexp_full_match(gold, '[A-J, ]+'))
        AND type <> 'Open'
)

SELECT
    benchmark,
    subject,
    type,
    count(*) AS n,
    avg(
        CASE type
            WHEN 'MCQ' THEN 1.0 / n_options
            WHEN 'MCQ(multiple)'
                THEN (1 + 0.25 * (n_right * 2 ** (n_right - 1) - n_right)) / 2 ** n_options
            ELSE 0.0
        END
    ) AS score
FROM counted
GROUP BY benchmark, CUBE (subject, type);
