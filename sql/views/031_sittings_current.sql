-- What each model is asked for each question now: the newest run of the cell decides.
-- Only questions whose text is still the one that was asked.
-- Grain: benchmark, model, mode, epoch, question_id.
CREATE OR REPLACE VIEW sittings_current AS
SELECT sittings.*
FROM sittings
INNER JOIN questions_current USING (benchmark, question_id, question_hash)
QUALIFY row_number() OVER (
    PARTITION BY sittings.benchmark, sittings.model, sittings.mode, sittings.epoch, sittings.question_id
    ORDER BY sittings.recorded_at DESC, sittings.run_id DESC
) = 1;
