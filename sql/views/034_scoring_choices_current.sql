-- Which extractor and tolerance the scores of each cell use. Grain: benchmark, model, mode, epoch.
CREATE OR REPLACE VIEW scoring_choices_current AS
SELECT *
FROM scoring_choices
QUALIFY row_number() OVER (PARTITION BY benchmark, model, mode, epoch ORDER BY recorded_at DESC) = 1;
