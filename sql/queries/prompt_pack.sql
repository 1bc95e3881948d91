-- The imported wording of a mode, if there is one. Parameters: $benchmark, $mode. Grain: type.
SELECT
    pack,
    type,
    prefix,
    suffix,
    whitespace_rule
FROM prompt_packs_current
WHERE benchmark = $benchmark AND mode = $mode
ORDER BY type;
