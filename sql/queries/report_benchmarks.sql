-- What each benchmark consists of; one with scores comes first.
-- Grain: benchmark.
WITH sat AS (
    SELECT
        benchmark,
        count(*) AS n_contestants
    FROM leaderboard
    GROUP BY benchmark
)

SELECT
    questions.benchmark,
    any_value(newest.benchmark_hash) AS benchmark_hash,
    coalesce(any_value(sat.n_contestants), 0) AS n_contestants,
    count(*) AS n_all,
    count(*) FILTER (WHERE questions.status = 'kept') AS n_kept,
    count(*) FILTER (WHERE questions.status = 'dropped') AS n_dropped,
    count(*) FILTER (WHERE questions.status = 'flagged') AS n_flagged,
    count(*) FILTER (WHERE questions.status = 'kept' AND questions.gold IS NULL) AS n_without_key,
    count(DISTINCT questions.exam) AS n_exams,
    min(questions.year) AS first_year,
    max(questions.year) AS last_year
FROM questions_current AS questions
LEFT JOIN benchmark_hashes AS newest USING (benchmark)
LEFT JOIN sat USING (benchmark)
GROUP BY questions.benchmark
ORDER BY count(sat.n_contestants) = 0, questions.benchmark;
