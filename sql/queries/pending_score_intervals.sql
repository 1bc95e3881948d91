-- Score vectors that have no interval yet. Parameters: $benchmark, $epoch, $level.
-- Grain: benchmark, model, mode, epoch.
SELECT vectors.*
FROM score_vectors AS vectors
ANTI JOIN (
    SELECT *
    FROM score_intervals
    WHERE level = $level
) AS done USING (benchmark, model, mode, epoch, scores_hash)
WHERE vectors.benchmark = $benchmark AND vectors.epoch = $epoch AND vectors.n_scored > 0;
