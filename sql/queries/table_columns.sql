-- Columns of a table in order, with their types. Parameters: $table. Grain: column.
SELECT
    column_name,
    data_type
FROM duckdb_columns()
WHERE database_name = current_database() AND table_name = $table
ORDER BY column_index;
