-- Bootstrap intervals of a mean score over questions. `scores_hash` names the exact scores they were
-- computed from, so a view shows an interval only beside the mean that it belongs to.
-- Grain: benchmark, model, mode, epoch, scores_hash, level. `unit` is what was resampled.
CREATE TABLE score_intervals (
    benchmark VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    scores_hash VARCHAR NOT NULL,
    level DOUBLE NOT NULL,
    lower DOUBLE,
    upper DOUBLE,
    n_resamples INTEGER NOT NULL,
    seed BIGINT NOT NULL,
    unit VARCHAR NOT NULL,
    PRIMARY KEY (benchmark, model, mode, epoch, scores_hash, level)
);
