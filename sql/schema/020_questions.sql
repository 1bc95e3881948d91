-- Every version of every question that was ever imported or cut from a PDF. The newest row of a
-- question is the current one. Grain: benchmark, question_id, recorded_at.
-- `question_hash` covers what a model is asked and how it is read: type, text, options.
CREATE TABLE questions (
    benchmark VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    question_hash VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    exam VARCHAR,
    number INTEGER,
    subject VARCHAR,
    type VARCHAR NOT NULL
    CHECK (type IN ('MCQ', 'MCQ(multiple)', 'Integer', 'Numeric', 'Expression', 'Open')),
    question VARCHAR NOT NULL,
    options JSON NOT NULL,
    has_figure BOOLEAN NOT NULL,
    status VARCHAR NOT NULL CHECK (status IN ('kept', 'dropped', 'flagged')),
    reason VARCHAR,
    extra JSON NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (benchmark, question_id, recorded_at)
);
