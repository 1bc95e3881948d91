-- Every sample that a current sitting asks for, with the reply that stands for it.
-- Grain: benchmark, model, mode, epoch, question_id, sample_index.
-- Columns:
--   completion_status: ok, truncated, empty, filtered, context_overflow or error; NULL = not asked yet
--   is_reply: the model has answered (an empty answer is one); failed and missing calls are not
CREATE OR REPLACE VIEW samples_current AS
WITH slots AS (
    SELECT
        *,
        unnest(range(n_samples)) AS sample_index
    FROM sittings_current
)

SELECT
    slots.benchmark,
    slots.model,
    slots.mode,
    slots.epoch,
    slots.question_id,
    slots.sample_index,
    slots.question_hash,
    slots.request_hash,
    slots.n_samples,
    slots.aggregation,
    slots.run_id,
    replies.call_id,
    replies.status AS completion_status,
    replies.finish_reason,
    replies.text,
    replies.text_bytes,
    coalesce(replies.status IN ('ok', 'truncated', 'empty'), FALSE) AS is_reply
FROM slots
LEFT JOIN completions_current AS replies
    ON
        slots.request_hash = replies.request_hash
        AND slots.epoch = replies.epoch
        AND slots.sample_index = replies.sample_index;
