-- Exam marks by exam and type, as the registry said when they were recorded; newest is current.
-- Grain: benchmark, exam ('' = questions without one), type, recorded_at. Marks, not percent.
CREATE TABLE marking_schemes (
    benchmark VARCHAR NOT NULL,
    exam VARCHAR NOT NULL,
    type VARCHAR NOT NULL,
    scheme_hash VARCHAR NOT NULL,
    correct DOUBLE NOT NULL,
    wrong DOUBLE NOT NULL,
    blank DOUBLE NOT NULL,
    partial_per_option DOUBLE,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (benchmark, exam, type, recorded_at)
);
