-- How a run ended. Grain: run_id. A run without a row here is running, or its process died.
CREATE TABLE run_ends (
    run_id VARCHAR PRIMARY KEY,
    state VARCHAR NOT NULL CHECK (state IN ('completed', 'failed', 'stopped', 'crashed')),
    message VARCHAR,
    finished_at TIMESTAMPTZ NOT NULL
);
