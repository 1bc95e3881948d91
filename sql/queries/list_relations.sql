-- Names of the tables and views of the current database. Grain: table or view.
SELECT table_name AS relation
FROM duckdb_tables()
WHERE database_name = current_database() AND NOT internal
UNION ALL
SELECT view_name AS relation
FROM duckdb_views()
WHERE database_name = current_database() AND NOT internal;
