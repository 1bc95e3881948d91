-- Names of the tables of the current database.
SELECT table_name
FROM duckdb_tables()
WHERE database_name = current_database() AND NOT internal;
