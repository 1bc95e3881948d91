-- Scores outside 0-1, marks above their maximum, and counted outcomes without a score.
SELECT
    question_hash,
    answer,
    outcome,
    score,
    mark,
    max_mark
FROM scores
WHERE
    score NOT BETWEEN 0 AND 1
    OR mark > max_mark
    OR (outcome IN ('void', 'unscored')) <> (score IS NULL);
