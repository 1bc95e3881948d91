-- What is read in each reply of a benchmark as things stand, and what it scores where each sample has
-- a score of its own. Parameters: $benchmark. Grain: model, mode, epoch, question_id, sample_index.
SELECT
    extracts.model,
    extracts.mode,
    extracts.epoch,
    extracts.question_id,
    extracts.sample_index,
    extracts.answer,
    extracts.status,
    extracts.rule,
    extracts.extractor,
    scores.score
FROM extracts_current AS extracts
LEFT JOIN scores_by_sample AS scores
    USING (benchmark, model, mode, epoch, question_id, sample_index)
WHERE extracts.benchmark = $benchmark;
