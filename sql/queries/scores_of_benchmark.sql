-- Scores of a benchmark as they stand. Parameters: $benchmark. Grain: model, mode, epoch, question_id.
SELECT
    model,
    mode,
    epoch,
    question_id,
    answer,
    score,
    mark
FROM scores_current
WHERE benchmark = $benchmark;
