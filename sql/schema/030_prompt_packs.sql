-- Prompt wording that was read off response files and verified on every row of them.
-- Grain: benchmark, mode, type, recorded_at; newest is current. A prompt is prefix + question (after
-- the named whitespace rule) + suffix.
CREATE TABLE prompt_packs (
    benchmark VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    type VARCHAR NOT NULL,
    pack VARCHAR NOT NULL,
    prefix VARCHAR NOT NULL,
    suffix VARCHAR NOT NULL,
    whitespace_rule VARCHAR NOT NULL,
    n_verified INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (benchmark, mode, type, recorded_at)
);
