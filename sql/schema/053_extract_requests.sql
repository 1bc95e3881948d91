-- Which request asks a model what a reply answers, where the rules could not tell. Its reply is in the
-- response cache like any other; what it says becomes a row of `extracts` by the same `extractor`.
-- Grain: call_id, sample_index, question_hash (the reply that is read), extractor.
CREATE TABLE extract_requests (
    call_id VARCHAR NOT NULL,
    sample_index INTEGER NOT NULL,
    question_hash VARCHAR NOT NULL,
    extractor VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (call_id, sample_index, question_hash, extractor)
);
