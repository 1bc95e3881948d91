-- One command of one model in one mode (or one import). Append-only: the end is a row of `run_ends`.
-- Grain: run_id. `settings` holds what was asked, without secrets; `versions` the packages that computed.
CREATE TABLE run_starts (
    run_id VARCHAR PRIMARY KEY,
    command VARCHAR NOT NULL,
    benchmark VARCHAR,
    benchmark_hash VARCHAR,
    model VARCHAR,
    mode VARCHAR,
    epoch VARCHAR NOT NULL DEFAULT '',
    settings JSON NOT NULL,
    versions JSON NOT NULL,
    git_commit VARCHAR,
    seed BIGINT,
    host VARCHAR NOT NULL,
    process_id INTEGER NOT NULL,
    flow_run_id VARCHAR,
    started_at TIMESTAMPTZ NOT NULL
);
