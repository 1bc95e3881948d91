-- Marks under each exam's scheme of one benchmark or all, as a file beside the report.
-- Parameters: $benchmark (NULL = all). Grain: as the view.
SELECT *
FROM exam_marks
WHERE $benchmark IS NULL OR benchmark = $benchmark
ORDER BY
    benchmark ASC,
    model ASC,
    mode ASC,
    epoch ASC,
    year ASC NULLS FIRST,
    exam ASC NULLS FIRST,
    subject ASC NULLS FIRST,
    type ASC NULLS FIRST,
    n ASC,
    total ASC;
