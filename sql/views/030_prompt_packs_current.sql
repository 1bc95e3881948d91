-- The newest imported wording of each mode. Grain: benchmark, mode, type.
CREATE OR REPLACE VIEW prompt_packs_current AS
SELECT *
FROM prompt_packs
QUALIFY row_number() OVER (PARTITION BY benchmark, mode, type ORDER BY recorded_at DESC) = 1;
