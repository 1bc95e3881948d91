-- The scores behind each mean, in order of question_id, and their identity: an interval is shown only
-- beside the scores that it was computed from. Grain: benchmark, model, mode, epoch.
CREATE OR REPLACE VIEW score_vectors AS
SELECT
    benchmark,
    model,
    mode,
    epoch,
    list(score ORDER BY question_id) AS scores,
    md5(string_agg(question_id || '=' || score, chr(30) ORDER BY question_id)) AS scores_hash
FROM scores_current
WHERE score IS NOT NULL
GROUP BY ALL;
