-- What an endpoint was seen to accept and refuse for a model, newest word on each.
-- Parameters: $endpoint, $api_name. Grain: parameter, value (NULL = any value).
SELECT
    parameter,
    value,
    is_accepted,
    replaced_by
FROM model_parameters
WHERE endpoint = $endpoint AND api_name = $api_name
QUALIFY row_number() OVER (PARTITION BY parameter, value ORDER BY learned_at DESC) = 1
ORDER BY parameter, value;
