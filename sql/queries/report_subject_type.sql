-- Mean score of each contestant and of guessing (model NULL) by subject and type, best first.
-- NULL = all. A subject or type that is not known counts in the totals only.
-- Parameters: $benchmark. Grain: model, mode, epoch, subject, type.
WITH contestants AS (
    SELECT
        board.model,
        board.mode,
        board.epoch,
        board.subject,
        board.type,
        board.n,
        board.score
    FROM leaderboard_by_subject_type AS board
    WHERE board.benchmark = $benchmark
    QUALIFY row_number() OVER (
        PARTITION BY board.model, board.mode, board.epoch, board.subject, board.type
        ORDER BY board.n DESC
    ) = 1
),

guessing AS (
    SELECT
        subject,
        type,
        n,
        score
    FROM random_baseline
    WHERE benchmark = $benchmark
    QUALIFY row_number() OVER (PARTITION BY subject, type ORDER BY n DESC) = 1
),

means AS (
    SELECT * FROM contestants
    UNION ALL BY NAME
    SELECT * FROM guessing
)

SELECT
    *,
    max(score) FILTER (WHERE subject IS NULL AND type IS NULL) OVER (PARTITION BY model, mode, epoch) AS total
FROM means
ORDER BY
    model IS NULL ASC,
    total DESC NULLS LAST,
    model ASC,
    mode ASC,
    epoch ASC,
    subject ASC NULLS LAST,
    type ASC NULLS LAST;
