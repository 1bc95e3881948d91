-- Which extractors have read replies of a benchmark. Parameters: $benchmark. Grain: extractor.
SELECT DISTINCT extracts.extractor
FROM extracts
INNER JOIN samples_current AS samples USING (call_id, sample_index, question_hash)
WHERE samples.benchmark = $benchmark
ORDER BY ALL;
