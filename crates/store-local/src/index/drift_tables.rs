//! The SQL of the tables of tasks, steps and drift.

const TABLES: &str = "
CREATE TABLE drift_folds (
  stem  TEXT PRIMARY KEY,
  fold  INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  root  TEXT,
  head  TEXT,
  state TEXT
) STRICT;
CREATE TABLE session_states (
  stem                 TEXT NOT NULL,
  number               INTEGER NOT NULL,
  parent               INTEGER,
  task_type            TEXT NOT NULL,
  original_goal        TEXT NOT NULL,
  expected_scope       TEXT NOT NULL,
  constraints          TEXT NOT NULL,
  keywords             TEXT NOT NULL,
  session_mode         TEXT NOT NULL,
  waiting_for_recovery INTEGER NOT NULL,
  escalation_count     INTEGER NOT NULL,
  start_ms             INTEGER NOT NULL,
  last_ms              INTEGER NOT NULL,
  status               TEXT NOT NULL,
  PRIMARY KEY (stem, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE step_files (
  path    TEXT NOT NULL,
  stem    TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  PRIMARY KEY (path, stem, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX step_files_by_step ON step_files (stem, ordinal);
";
const STEP: &str = "
  stem             TEXT NOT NULL,
  ordinal          INTEGER NOT NULL,
  id               TEXT NOT NULL,
  task             INTEGER,
  at_ms            INTEGER NOT NULL,
  tool_use_id      TEXT,
  action_type      TEXT NOT NULL,
  files            TEXT NOT NULL,
  folders          TEXT NOT NULL,
  command          TEXT,
  failed           INTEGER NOT NULL,
  reasoning        TEXT,
  is_key_decision  INTEGER NOT NULL,
  breaks           TEXT,
  drift_score      INTEGER,
  drift_type       TEXT,
  is_validated     INTEGER NOT NULL,
  correction_given TEXT,
  correction_level TEXT
";

/// The SQL that creates the tables. A step that breaks a limit is in `drift_log` only, which has
/// the columns of `steps` and two more.
pub(super) fn schema() -> String {
    format!(
        "{TABLES}
         CREATE TABLE steps ({STEP}, PRIMARY KEY (stem, ordinal)) STRICT, WITHOUT ROWID;
         CREATE TABLE drift_log (
           {STEP}, drift_reason TEXT, recovery_plan TEXT, PRIMARY KEY (stem, ordinal)
         ) STRICT, WITHOUT ROWID;"
    )
}
