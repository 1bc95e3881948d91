-- What an endpoint was seen to accept or refuse, learned once per endpoint and model. `value` NULL:
-- the parameter is refused whatever its value. `replaced_by` names the parameter it takes instead.
-- Grain: endpoint, api_name, parameter, learned_at; newest of each value is current.
CREATE TABLE model_parameters (
    endpoint VARCHAR NOT NULL,
    api_name VARCHAR NOT NULL,
    parameter VARCHAR NOT NULL,
    value JSON,
    is_accepted BOOLEAN NOT NULL,
    replaced_by VARCHAR,
    message VARCHAR,
    run_id VARCHAR NOT NULL,
    learned_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (endpoint, api_name, parameter, learned_at)
);
