-- Parameters that a run's model refuses, so that they were left out of its requests or sent under
-- another name. Grain: run_id, parameter, recorded_at. `sent_as` NULL: left out.
CREATE TABLE dropped_parameters (
    run_id VARCHAR NOT NULL,
    parameter VARCHAR NOT NULL,
    sent_as VARCHAR,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, parameter, recorded_at)
);
