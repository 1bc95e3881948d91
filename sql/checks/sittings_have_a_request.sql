-- Sittings whose request is not there.
SELECT
    run_id,
    question_id
FROM sittings
ANTI JOIN requests USING (request_hash);
