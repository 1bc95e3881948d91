-- Identity of what a benchmark asks and how it is keyed; results compare only where it is equal.
-- Grain: benchmark.
CREATE OR REPLACE VIEW benchmark_hashes AS
SELECT
    benchmark,
    'b1:' || left(sha256(
        string_agg(
            question_id || chr(31) || question_hash || chr(31) || key_hash, chr(30)
            ORDER BY question_id
        )
    ), 32) AS benchmark_hash,
    count(*) AS n
FROM questions_current
WHERE status = 'kept'
GROUP BY benchmark;
