-- Which extractor and which tolerance the scores of a cell use; newest is current. A cell without a
-- row uses the run's own. Grain: benchmark, model, mode, epoch, recorded_at.
CREATE TABLE scoring_choices (
    benchmark VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    extractor VARCHAR NOT NULL,
    tolerance VARCHAR NOT NULL CHECK (tolerance IN ('decimal', 'official')),
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (benchmark, model, mode, epoch, recorded_at)
);
