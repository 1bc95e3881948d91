-- The corrections that hold for a benchmark's questions. Parameters: $benchmark.
-- Grain: call_id, sample_index, question_hash.
SELECT
    corrections.call_id,
    corrections.sample_index,
    corrections.question_hash,
    corrections.answer,
    corrections.status,
    corrections.note,
    corrections.reviewer
FROM extract_corrections_current AS corrections
SEMI JOIN questions_current AS questions
    ON
        corrections.question_hash = questions.question_hash
        AND questions.benchmark = $benchmark;
