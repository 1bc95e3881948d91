-- Questions whose samples at a temperature above 0 are byte-equal: their agreement says nothing.
-- `temperature` NULL: the server's own, which may be anything.
-- Parameters: $benchmark, $epoch. Grain: model, mode, epoch.
WITH per_question AS (
    SELECT
        samples.model,
        samples.mode,
        samples.epoch,
        samples.question_id,
        samples.n_samples,
        (any_value(requests.parameters) ->> 'temperature')::DOUBLE AS temperature,
        count(DISTINCT coalesce(samples.text_bytes, encode(samples.text))) AS n_texts
    FROM samples_current AS samples
    INNER JOIN requests USING (request_hash)
    WHERE
        samples.benchmark = $benchmark
        AND samples.epoch = $epoch
        AND samples.n_samples > 1 AND samples.is_reply
    GROUP BY ALL
    HAVING count(*) = samples.n_samples
)

SELECT
    model,
    mode,
    epoch,
    n_samples,
    temperature,
    count(*) AS n_questions
FROM per_question
WHERE n_texts = 1 AND (temperature > 0 OR temperature IS NULL)
GROUP BY ALL
ORDER BY ALL;
