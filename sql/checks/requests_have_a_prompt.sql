-- Requests whose messages are not there.
SELECT request_hash
FROM requests
ANTI JOIN prompts USING (prompt_hash);
