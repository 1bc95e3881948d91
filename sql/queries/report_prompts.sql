-- The messages that were sent, each once, as far as they fit into $max_bytes; others are NULL.
-- Parameters: $benchmark, $max_bytes. Grain: prompt_hash.
WITH sent AS (
    SELECT DISTINCT
        prompts.prompt_hash,
        cast(prompts.messages AS VARCHAR) AS messages
    FROM sittings_current AS sittings
    INNER JOIN requests USING (request_hash)
    INNER JOIN prompts USING (prompt_hash)
    WHERE sittings.benchmark = $benchmark
),

fitted AS (
    SELECT
        *,
        strlen(messages) AS n_bytes,
        sum(strlen(messages)) OVER (ORDER BY prompt_hash ROWS UNBOUNDED PRECEDING) <= $max_bytes AS is_within
    FROM sent
)

SELECT
    prompt_hash,
    n_bytes,
    CASE WHEN is_within THEN messages END AS messages
FROM fitted
ORDER BY prompt_hash;
