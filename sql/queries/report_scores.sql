-- The score of each question that was sat; `share` is how many of the samples gave a voted answer.
-- Within a question the best contestant comes first.
-- Parameters: $benchmark. Grain: question_id, model, mode, epoch.
SELECT
    scores.question_id,
    scores.model,
    scores.mode,
    scores.epoch,
    scores.answer,
    scores.outcome,
    scores.score,
    scores.mark,
    scores.max_mark,
    votes.share
FROM scores_current AS scores
LEFT JOIN voted_answers AS votes USING (benchmark, model, mode, epoch, question_id)
WHERE scores.benchmark = $benchmark
ORDER BY
    scores.question_id ASC,
    avg(scores.score) OVER (PARTITION BY scores.model, scores.mode, scores.epoch) DESC NULLS LAST,
    scores.model ASC,
    scores.mode ASC,
    scores.epoch ASC;
