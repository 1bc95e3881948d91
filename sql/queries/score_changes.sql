-- What changed since the scores in the frame `batch` (model, mode, epoch, question_id, answer, score, mark).
-- Parameters: $benchmark. Grain: model, mode, epoch, type.
-- Columns: n_answers, n_scores: questions whose answer or score changed; sums over all questions.
SELECT
    now.model,
    now.mode,
    now.epoch,
    questions.type,
    count(*) AS n,
    count(*) FILTER (WHERE batch.answer IS DISTINCT FROM now.answer) AS n_answers,
    count(*) FILTER (WHERE batch.score IS DISTINCT FROM now.score) AS n_scores,
    avg(batch.score) AS score_before,
    avg(now.score) AS score_after,
    sum(batch.mark) AS mark_before,
    sum(now.mark) AS mark_after
FROM scores_current AS now
INNER JOIN questions_current AS questions USING (benchmark, question_id)
LEFT JOIN batch
    ON
        now.model = batch.model
        AND now.mode = batch.mode
        AND now.epoch = batch.epoch
        AND now.question_id = batch.question_id
WHERE now.benchmark = $benchmark
GROUP BY ALL
ORDER BY ALL;
