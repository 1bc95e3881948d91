-- Requests whose messages are not there.
SELECT requests.request_hash
FROM requests
ANTI JOIN prompts USING (prompt_hash);
