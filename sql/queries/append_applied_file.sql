-- Remember one applied file. Parameters: $file, $sha256, $applied_at.
INSERT INTO applied_files VALUES ($file, $sha256, $applied_at);
