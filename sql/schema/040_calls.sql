-- The cost ledger: one row for each HTTP request that came to an end, paid or not, whatever it was for.
-- Grain: call_id. Tokens as the server counted them; `cost_usd` NULL = the price is not known.
-- `n_attempts` counts the tries inside the call (429, 5xx, broken connections).
CREATE TABLE calls (
    call_id VARCHAR PRIMARY KEY,
    run_id VARCHAR NOT NULL,
    purpose VARCHAR NOT NULL CHECK (purpose IN ('sample', 'extract', 'judge', 'label', 'probe')),
    endpoint VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,
    n_requested INTEGER NOT NULL,
    n_returned INTEGER NOT NULL,
    status VARCHAR NOT NULL
    CHECK (status IN ('ok', 'truncated', 'filtered', 'empty', 'context_overflow', 'error')),
    http_status INTEGER,
    error_code VARCHAR,
    error VARCHAR,
    n_attempts INTEGER NOT NULL,
    input_tokens BIGINT,
    cached_input_tokens BIGINT,
    output_tokens BIGINT,
    reasoning_tokens BIGINT,
    cost_usd DOUBLE,
    served_model VARCHAR,
    response_id VARCHAR,
    extra JSON NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    duration_s DOUBLE NOT NULL
);
