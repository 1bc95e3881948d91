-- What each version of the extractor read in each completion. A new version adds rows.
-- Grain: call_id, sample_index, question_hash, extractor. `answer` NULL unless status is answered.
CREATE TABLE extracts (
    call_id VARCHAR NOT NULL,
    sample_index INTEGER NOT NULL,
    question_hash VARCHAR NOT NULL,
    extractor VARCHAR NOT NULL,
    answer VARCHAR,
    status VARCHAR NOT NULL
    CHECK (status IN ('answered', 'abstained', 'ambiguous', 'unparsed', 'truncated')),
    rule VARCHAR NOT NULL,
    span_start INTEGER,
    span_end INTEGER,
    candidates JSON NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (call_id, sample_index, question_hash, extractor)
);
