-- Every run: one command of one model in one mode, or one import.
-- Grain: run_id.
-- Columns:
--   model: registry name of the model; NULL for imports of questions
--   benchmark_hash: content hash of the benchmark's questions and keys when the run started
--   settings: what was asked for, without secrets
--   dropped_parameters: JSON object, parameter that the model refuses to the name it was sent under
--     instead (null = left out); NULL = none
--   state: running, completed, failed, stopped (resumable) or crashed (its process died)
CREATE OR REPLACE VIEW runs AS
WITH newest_dropped AS (
    SELECT *
    FROM dropped_parameters
    QUALIFY row_number() OVER (PARTITION BY run_id, parameter ORDER BY recorded_at DESC) = 1
),

dropped AS (
    SELECT
        run_id,
        to_json(
            map(list(parameter ORDER BY parameter), list(sent_as ORDER BY parameter))
        ) AS dropped_parameters
    FROM newest_dropped
    GROUP BY run_id
)

SELECT
    starts.run_id,
    starts.command,
    starts.benchmark,
    starts.benchmark_hash,
    starts.model,
    starts.mode,
    starts.epoch,
    starts.settings,
    starts.versions,
    starts.git_commit,
    starts.seed,
    starts.started_at,
    ends.finished_at,
    coalesce(ends.state, 'running') AS state,
    ends.message,
    starts.host,
    starts.process_id,
    starts.flow_run_id,
    dropped.dropped_parameters
FROM run_starts AS starts
LEFT JOIN run_ends AS ends USING (run_id)
LEFT JOIN dropped USING (run_id);
