//! The inputs of the gate.

use verger_event::ContentHash;

use super::Depth;
use super::check::CheckKind;
use super::claim::Claim;
use super::failures::WatchedKind;
use super::ran::Came;
use super::verified::Verified;
use crate::Content;

/// An input of the gate. The gate's state already includes the event that caused the input.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// A verification begins.
    Started {
        /// The run's id.
        run: &'a str,
        /// The depth of the verification.
        depth: Depth,
        /// The content that the verification checks.
        content: &'a ContentHash,
    },
    /// A verification ended with this result.
    Ended(&'a Verified),
    /// A started verification was lost: it won't have a result.
    Lost {
        /// The run's id.
        run: &'a str,
    },
    /// A watched tool failed.
    Failed {
        /// The tool, as people would type it.
        what: &'a str,
        /// The purpose of the tool.
        kind: WatchedKind,
    },
    /// A tool succeeded.
    Succeeded {
        /// The tool, as people would type it.
        what: &'a str,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// A person opens the gate.
    Skip {
        /// The person's reason, if there is one.
        reason: Option<&'a str>,
    },
}

/// The facts about a stop that the main agent wants to make.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// The claim in the agent's last message that the work is done.
    pub claim: Option<&'a Claim>,
    /// The content of the work.
    pub content: &'a Content,
    /// The depth that a verification of the content needs: see [`super::wanted_depth`].
    pub depth: Depth,
    /// The results of the live checks that were made. Live checks can change while the content
    /// stays the same.
    pub live: &'a [(CheckKind, Came)],
    /// The next step that gets a review for the work.
    pub review_step: &'a str,
    /// Whether the agent waits for a background subagent that will report.
    pub waits: bool,
    /// Whether the limit across all gates allows one more refused stop.
    pub may_refuse: bool,
    /// The project's directory, if the person doesn't trust it. The agent's client then asks the
    /// person before the agent runs the checks.
    pub untrusted: Option<&'a str>,
}
