-- Every question as it stands now. Grain: benchmark, question_id.
SELECT *
FROM questions_current;
