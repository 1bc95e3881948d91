-- What people say that a reply answers; newest is current. Kept apart from what programs read, and used
-- before it. Grain: call_id, sample_index, question_hash, recorded_at.
-- `answer` NULL unless status is answered. `reviewer`, `note`: as the review file has them, may be ''.
CREATE TABLE extract_corrections (
    call_id VARCHAR NOT NULL,
    sample_index INTEGER NOT NULL,
    question_hash VARCHAR NOT NULL,
    answer VARCHAR,
    status VARCHAR NOT NULL
    CHECK (status IN ('answered', 'abstained', 'ambiguous', 'unparsed')),
    reviewer VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (call_id, sample_index, question_hash, recorded_at)
);
