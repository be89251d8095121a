//! The order of a run of checks, as stored by its job. It does not contain the commands, because
//! they may contain secrets and can be determined again.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verger_event::ContentHash;
use verger_exec::detached::Job;
use verger_gate::verification::Depth;

/// The order of a run of checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunOrder {
    /// The run's id.
    pub(crate) run: String,
    /// The name of the session's segment. `None` if the work belongs to no known session.
    pub(crate) session: Option<String>,
    pub(crate) root: PathBuf,
    pub(crate) depth: Depth,
    /// The name of the plan when the run was ordered.
    pub(crate) plan: String,
    /// The content of the work when the run was ordered.
    pub(crate) content: ContentHash,
}

impl RunOrder {
    /// The order of a job. `None` if it cannot be read.
    pub(crate) fn of(job: &Job) -> Option<Self> {
        serde_json::from_slice(&job.input().ok()?).ok()
    }
}
