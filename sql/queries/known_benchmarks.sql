-- Names of all benchmarks that have questions. Grain: benchmark.
SELECT DISTINCT benchmark
FROM questions
ORDER BY benchmark;
