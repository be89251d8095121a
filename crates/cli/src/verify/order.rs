//! What a run of checks is to do, as its job keeps it. The commands are no part of it: they may hold
//! secrets, and are found again.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verger_event::ContentHash;
use verger_exec::detached::Job;
use verger_gate::verification::Depth;

/// What a run is to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunOrder {
    /// The run's id.
    pub(crate) run: String,
    /// The name of the session's segment; nothing where it is nobody's work.
    pub(crate) session: Option<String>,
    pub(crate) root: PathBuf,
    pub(crate) depth: Depth,
    /// What the plan was called when the run was ordered.
    pub(crate) plan: String,
    /// What the work amounted to then.
    pub(crate) content: ContentHash,
}

impl RunOrder {
    /// The order of a job; nothing when it is none that can be read.
    pub(crate) fn of(job: &Job) -> Option<Self> {
        serde_json::from_slice(&job.input().ok()?).ok()
    }
}
