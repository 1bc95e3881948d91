-- Which request asks which question of a model in a mode and an epoch, and how its K samples become
-- one score. The newest row of a cell is its current sitting; a run that learns that a parameter is
-- refused sits anew. Grain: run_id, question_id, recorded_at.
CREATE TABLE sittings (
    run_id VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    question_hash VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,
    n_samples INTEGER NOT NULL CHECK (n_samples >= 1),
    aggregation VARCHAR NOT NULL CHECK (aggregation IN ('mean', 'majority')),
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, question_id, recorded_at)
);
