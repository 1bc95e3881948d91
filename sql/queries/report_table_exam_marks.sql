-- Marks under each exam's scheme of a benchmark, as a file beside the report.
-- Parameters: $benchmark. Grain: as the view.
SELECT *
FROM exam_marks
WHERE benchmark = $benchmark
ORDER BY
    model ASC,
    mode ASC,
    epoch ASC,
    year ASC NULLS FIRST,
    exam ASC NULLS FIRST,
    subject ASC NULLS FIRST,
    type ASC NULLS FIRST,
    n ASC,
    total ASC;
