-- Every run: one command of one model in one mode, or one import.
-- Grain: run_id.
-- Columns:
--   model: registry name of the model; NULL for imports of questions
--   benchmark_hash: content hash of the benchmark's questions and keys when the run started
--   settings: what was asked for, without secrets
--   state: running, completed, failed, stopped (resumable) or crashed (its process died)
CREATE OR REPLACE VIEW runs AS
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
    starts.flow_run_id
FROM run_starts AS starts
LEFT JOIN run_ends AS ends USING (run_id);
