-- Parameters that the endpoints behind a benchmark's scores refused, so that they were left out or
-- sent under another name. Parameters: $benchmark. Grain: model, parameter, value (NULL = any).
WITH newest AS (
    SELECT *
    FROM model_parameters
    QUALIFY row_number() OVER (
        PARTITION BY endpoint, api_name, parameter, value
        ORDER BY learned_at DESC
    ) = 1
),

asked AS (
    SELECT DISTINCT
        sittings.model,
        requests.endpoint,
        requests.api_name
    FROM sittings_current AS sittings
    INNER JOIN requests USING (request_hash)
    WHERE sittings.benchmark = $benchmark
)

SELECT
    asked.model,
    newest.parameter,
    newest.value,
    newest.replaced_by,
    newest.message
FROM newest
INNER JOIN asked USING (endpoint, api_name)
WHERE NOT newest.is_accepted
ORDER BY ALL;
