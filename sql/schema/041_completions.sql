-- The response cache and its evidence: one row for each sample of each call. Only rows with status
-- `ok` (and, by choice, `truncated`) are reused; the others are kept and asked again within a cap.
-- Grain: call_id, sample_index. A slot is (request_hash, epoch, sample_index).
-- `text_bytes` is filled only where the text is not valid Unicode: UTF-8 with surrogates passed
-- through; `text` then has U+FFFD in their places.
CREATE TABLE completions (
    request_hash VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    sample_index INTEGER NOT NULL CHECK (sample_index >= 0),
    call_id VARCHAR NOT NULL,
    status VARCHAR NOT NULL
    CHECK (status IN ('ok', 'truncated', 'filtered', 'empty', 'context_overflow', 'error')),
    finish_reason VARCHAR,
    text VARCHAR NOT NULL,
    text_bytes BLOB,
    reasoning VARCHAR,
    tool_calls JSON NOT NULL,
    received_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (call_id, sample_index)
);
