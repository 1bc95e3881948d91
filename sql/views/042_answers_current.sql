-- Every answer that needs a mark: each sample's own under `mean`, the voted one under `majority`.
-- Grain: benchmark, model, mode, epoch, question_id, sample_index (NULL = the vote).
-- Columns:
--   is_tie: the vote was a tie, which is left blank under exam marks
CREATE OR REPLACE VIEW answers_current AS
SELECT
    benchmark,
    model,
    mode,
    epoch,
    question_id,
    sample_index,
    question_hash,
    coalesce(answer, '') AS answer,
    status,
    FALSE AS is_tie
FROM extracts_current
WHERE aggregation = 'mean'
UNION ALL
SELECT
    benchmark,
    model,
    mode,
    epoch,
    question_id,
    NULL AS sample_index,
    question_hash,
    coalesce(answer, '') AS answer,
    status,
    is_tie
FROM voted_answers;
