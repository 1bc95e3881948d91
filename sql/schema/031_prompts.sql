-- The messages that were sent, each stored once. Grain: prompt_hash (of `messages`).
CREATE TABLE prompts (
    prompt_hash VARCHAR PRIMARY KEY,
    messages JSON NOT NULL
);
