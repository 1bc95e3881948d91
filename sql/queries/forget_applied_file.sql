-- Forget a view that is about to be made again. Parameters: $file.
DELETE FROM applied_files
WHERE file = $file;
