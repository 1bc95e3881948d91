-- What a model can be asked: messages and parameters at one endpoint. Grain: request_hash, which
-- covers everything that changes the output, and nothing else (not `n`, timeouts or retries).
CREATE TABLE requests (
    request_hash VARCHAR PRIMARY KEY,
    endpoint VARCHAR NOT NULL,
    api_name VARCHAR NOT NULL,
    prompt_hash VARCHAR NOT NULL,
    parameters JSON NOT NULL
);
