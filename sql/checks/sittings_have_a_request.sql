-- Sittings whose request is not there.
SELECT
    sittings.run_id,
    sittings.question_id
FROM sittings
ANTI JOIN requests USING (request_hash);
