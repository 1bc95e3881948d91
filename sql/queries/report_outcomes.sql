-- How the questions of a benchmark ended for each contestant, in questions.
-- Parameters: $benchmark. Grain: model, mode, epoch.
SELECT
    model,
    mode,
    epoch,
    count(*) AS n,
    count(*) FILTER (WHERE outcome = 'correct') AS correct,
    count(*) FILTER (WHERE outcome = 'partial') AS partly,
    count(*) FILTER (WHERE outcome = 'wrong') AS wrong,
    count(*) FILTER (WHERE outcome = 'blank') AS blank,
    count(*) FILTER (WHERE outcome = 'unparsed') AS unparsed,
    count(*) FILTER (WHERE outcome = 'truncated') AS truncated,
    count(*) FILTER (WHERE outcome = 'void') AS void,
    count(*) FILTER (WHERE outcome = 'unscored') AS unscored
FROM scores_current
WHERE benchmark = $benchmark
GROUP BY ALL
ORDER BY avg(score) DESC NULLS LAST, model ASC, mode ASC, epoch ASC;
