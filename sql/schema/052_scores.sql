-- The mark of an answer: a pure function of its key columns, so it is computed once however many
-- models gave that answer. A new key, scheme, tolerance or scorer adds rows.
-- Grain: question_hash, key_hash, scheme_hash, tolerance, scorer, extract_status, answer ('' = none).
-- `score` is a fraction 0-1; `mark`, `max_mark` are exam marks; NULL = void or unscored.
CREATE TABLE scores (
    question_hash VARCHAR NOT NULL,
    key_hash VARCHAR NOT NULL,
    scheme_hash VARCHAR NOT NULL,
    tolerance VARCHAR NOT NULL,
    scorer VARCHAR NOT NULL,
    extract_status VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL
    CHECK (outcome IN ('correct', 'partial', 'wrong', 'blank', 'unparsed', 'truncated', 'void', 'unscored')),
    score DOUBLE,
    mark DOUBLE,
    max_mark DOUBLE,
    PRIMARY KEY (question_hash, key_hash, scheme_hash, tolerance, scorer, extract_status, answer)
);
