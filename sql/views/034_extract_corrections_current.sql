-- What people say now that replies answer: the newest correction of each.
-- Grain: call_id, sample_index, question_hash.
CREATE OR REPLACE VIEW extract_corrections_current AS
SELECT *
FROM extract_corrections
QUALIFY row_number() OVER (
    PARTITION BY call_id, sample_index, question_hash ORDER BY recorded_at DESC
) = 1;
