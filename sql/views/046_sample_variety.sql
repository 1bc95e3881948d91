-- How many different texts the samples of a question have, where all of several are there. One text at a
-- temperature above 0 says nothing about confidence.
-- Grain: benchmark, model, mode, epoch, question_id.
-- Columns:
--   temperature: as it was asked for; NULL = the server's own, which may be anything
--   n_texts: texts that differ in a byte
--   is_suspicious: one text, although the temperature was not 0
CREATE OR REPLACE VIEW sample_variety AS
WITH counted AS (
    SELECT
        samples.benchmark,
        samples.model,
        samples.mode,
        samples.epoch,
        samples.question_id,
        samples.n_samples,
        (any_value(requests.parameters) ->> 'temperature')::DOUBLE AS temperature,
        count(DISTINCT coalesce(samples.text_bytes, encode(samples.text))) AS n_texts
    FROM samples_current AS samples
    INNER JOIN requests USING (request_hash)
    WHERE samples.n_samples > 1 AND samples.is_reply
    GROUP BY ALL
    HAVING count(*) = samples.n_samples
)

SELECT
    *,
    n_texts = 1 AND coalesce(temperature > 0, TRUE) AS is_suspicious
FROM counted;
