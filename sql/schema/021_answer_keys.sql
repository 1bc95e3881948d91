-- Every answer key that was ever published for a question: official keys get revised, so a new key
-- marks again without a new model call. Grain: benchmark, question_id, recorded_at; newest is current.
-- `gold` is the key's text as published ("ABD", "A or C", "2.30 to 2.40", "dropped").
CREATE TABLE answer_keys (
    benchmark VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    key_hash VARCHAR NOT NULL,
    gold VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (benchmark, question_id, recorded_at)
);
