-- Marks of each contestant by year and in all, where the exams have marking schemes. Marks, not
-- percent. Parameters: $benchmark. Grain: model, mode, epoch, year (NULL = all).
WITH marks AS (
    SELECT *
    FROM exam_marks
    WHERE benchmark = $benchmark AND exam IS NULL AND subject IS NULL AND type IS NULL
    QUALIFY row_number() OVER (PARTITION BY model, mode, epoch, year ORDER BY n DESC, max_total DESC) = 1
)

SELECT
    model,
    mode,
    epoch,
    year,
    positive,
    negative,
    total,
    max_total,
    n,
    total / max_total AS share
FROM marks
WHERE max_total > 0
ORDER BY
    max(total) FILTER (WHERE year IS NULL) OVER (PARTITION BY model, mode, epoch) DESC,
    model ASC,
    mode ASC,
    epoch ASC,
    year ASC NULLS FIRST;
