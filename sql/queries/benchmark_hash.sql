-- Content hash of one benchmark as it stands now. Parameters: $benchmark. Grain: one row or none.
SELECT benchmark_hash
FROM benchmark_hashes
WHERE benchmark = $benchmark;
