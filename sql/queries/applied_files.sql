-- What has been applied. Grain: file.
SELECT
    file,
    sha256
FROM applied_files
ORDER BY file;
