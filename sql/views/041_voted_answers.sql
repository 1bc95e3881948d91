-- One answer from the samples of a question (self-consistency). MCQ, Integer, Numeric, Expression: the
-- most frequent answer; ties go to the first letter or the smallest number, never to the first to
-- arrive. MCQ(multiple): an option is in when at least half of all samples name it.
-- A sample without an answer counts among all samples. None at all: answer NULL, status unparsed where
-- a reply was unparsed, else abstained.
-- Grain: benchmark, model, mode, epoch, question_id.
-- Columns:
--   is_tie: other answers have as many samples; under exam marks such a vote is left blank
--   share: share of all samples that gave the answer; for MCQ(multiple) the smallest share of its options
CREATE OR REPLACE VIEW voted_answers AS
WITH replies AS (
    SELECT
        extracts.*,
        questions.type,
        count(*) OVER cell_question AS n_replies
    FROM extracts_current AS extracts
    INNER JOIN questions_current AS questions USING (benchmark, question_id, question_hash)
    WHERE extracts.aggregation = 'majority'
    WINDOW cell_question AS (
        PARTITION BY extracts.benchmark, extracts.model, extracts.mode, extracts.epoch, extracts.question_id
    )
),

ballots AS (
    SELECT
        *,
        unnest(CASE type WHEN 'MCQ(multiple)' THEN string_split(answer, '') ELSE [answer] END) AS choice
    FROM replies
    WHERE answer IS NOT NULL
),

counted AS (
    SELECT
        benchmark,
        model,
        mode,
        epoch,
        question_id,
        type,
        choice,
        count(*) AS n,
        count(*) / any_value(n_replies) AS share
    FROM ballots
    GROUP BY ALL
),

elected AS (
    SELECT
        *,
        type <> 'MCQ(multiple)'
        AND count(*) OVER (PARTITION BY benchmark, model, mode, epoch, question_id, n) > 1 AS is_tie
    FROM counted
    QUALIFY
        type <> 'MCQ(multiple)'
        AND row_number() OVER (
            PARTITION BY benchmark, model, mode, epoch, question_id
            ORDER BY share DESC, try_cast(choice AS DOUBLE) ASC NULLS LAST, choice ASC
        ) = 1
        OR type = 'MCQ(multiple)' AND share >= 0.5
),

winners AS (
    SELECT
        benchmark,
        model,
        mode,
        epoch,
        question_id,
        string_agg(choice, '' ORDER BY choice) AS answer,
        min(share) AS share,
        bool_or(is_tie) AS is_tie
    FROM elected
    GROUP BY ALL
),

asked AS (
    SELECT
        benchmark,
        model,
        mode,
        epoch,
        question_id,
        question_hash,
        count(*) AS n_replies,
        CASE
            WHEN bool_or(status IN ('unparsed', 'ambiguous')) THEN 'unparsed'
            WHEN bool_or(status = 'truncated') THEN 'truncated'
            ELSE 'abstained'
        END AS status_without_answer
    FROM replies
    GROUP BY ALL
)

SELECT
    asked.benchmark,
    asked.model,
    asked.mode,
    asked.epoch,
    asked.question_id,
    asked.question_hash,
    asked.n_replies,
    winners.answer,
    winners.share,
    coalesce(winners.is_tie, FALSE) AS is_tie,
    CASE WHEN winners.answer IS NULL THEN asked.status_without_answer ELSE 'answered' END AS status
FROM asked
LEFT JOIN winners USING (benchmark, model, mode, epoch, question_id);
