-- Marks by the newest version of the scorer that gave one. Grain: as `scores` without scorer.
CREATE OR REPLACE VIEW scores_newest_scorer AS
SELECT *
FROM scores
QUALIFY row_number() OVER (
    PARTITION BY question_hash, key_hash, scheme_hash, tolerance, extract_status, answer
    ORDER BY scorer DESC
) = 1;
