-- The extractor and tolerance of a cell, if chosen. Parameters: $benchmark, $model, $mode, $epoch.
SELECT
    extractor,
    tolerance
FROM scoring_choices_current
WHERE benchmark = $benchmark AND model = $model AND mode = $mode AND epoch = $epoch;
