-- Which files of sql/schema and sql/views this database has. Grain: file.
CREATE TABLE applied_files (
    file VARCHAR PRIMARY KEY,
    sha256 VARCHAR NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL
);
