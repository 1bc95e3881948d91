-- The mean of each cell with the scores behind it, in order of question_id, and their identity: an
-- interval is shown only beside the scores that it was computed from.
-- Grain: benchmark, model, mode, epoch. `scores`, `scores_hash` NULL: no question has a score yet.
CREATE OR REPLACE VIEW score_vectors AS
SELECT
    benchmark,
    model,
    mode,
    epoch,
    count(score) AS n_scored,
    count(*) FILTER (WHERE outcome = 'void') AS n_void,
    avg(score) AS score,
    list(score ORDER BY question_id) FILTER (WHERE score IS NOT NULL) AS scores,
    md5(string_agg(question_id || '=' || score, chr(30) ORDER BY question_id)) AS scores_hash
FROM scores_current
GROUP BY ALL;
