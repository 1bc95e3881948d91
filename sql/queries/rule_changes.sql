-- Which rules changed answers since the extracts in the frame `batch` (as extracts_of_benchmark).
-- Parameters: $benchmark. Grain: model, mode, epoch, type, rule before and after, extractor before and after.
-- Columns: n_answers: replies whose answer or status changed; score_change: sum over them, NULL = no
-- sample of theirs has a score of its own (a vote).
SELECT
    now.model,
    now.mode,
    now.epoch,
    questions.type,
    batch.extractor AS extractor_before,
    batch.rule AS rule_before,
    now.extractor AS extractor_after,
    now.rule AS rule_after,
    count(*) AS n_answers,
    sum(scores.score - batch.score) AS score_change
FROM extracts_current AS now
INNER JOIN questions_current AS questions USING (benchmark, question_id)
INNER JOIN batch
    ON
        now.model = batch.model
        AND now.mode = batch.mode
        AND now.epoch = batch.epoch
        AND now.question_id = batch.question_id
        AND now.sample_index = batch.sample_index
LEFT JOIN scores_by_sample AS scores
    ON
        now.benchmark = scores.benchmark
        AND now.model = scores.model
        AND now.mode = scores.mode
        AND now.epoch = scores.epoch
        AND now.question_id = scores.question_id
        AND now.sample_index = scores.sample_index
WHERE
    now.benchmark = $benchmark
    AND (now.answer IS DISTINCT FROM batch.answer OR now.status IS DISTINCT FROM batch.status)
GROUP BY ALL
ORDER BY
    n_answers DESC, now.model, now.mode, now.epoch, questions.type, rule_before, rule_after, extractor_after;
