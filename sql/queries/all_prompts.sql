-- Every stored prompt. Grain: prompt_hash.
SELECT
    prompt_hash,
    messages
FROM prompts;
