//! The inputs of the verification gate.

use verger_event::ContentHash;

use super::Depth;
use super::check::CheckKind;
use super::claim::Claim;
use super::failures::WatchedKind;
use super::ran::Came;
use super::verified::Verified;
use crate::Content;

/// An input of the verification gate. The gate's state already includes the event that caused the
/// input.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// A verification begins.
    Started {
        /// The id of the verification's run.
        run: &'a str,
        /// The depth of the verification.
        depth: Depth,
        /// The content of the work that the verification checks.
        content: &'a ContentHash,
    },
    /// A verification ended with this result.
    Ended(&'a Verified),
    /// A verification that was started won't have a result, because it was lost.
    Lost {
        /// The id of the verification's run.
        run: &'a str,
    },
    /// A watched tool failed.
    Failed {
        /// The watched tool that failed, as people would type it.
        what: &'a str,
        /// The purpose of the watched tool.
        kind: WatchedKind,
    },
    /// A watched tool succeeded.
    Succeeded {
        /// The watched tool that succeeded, as people would type it.
        what: &'a str,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// A person opens the gate.
    Skip {
        /// The person's reason for opening the gate, if one was given.
        reason: Option<&'a str>,
    },
}

/// The facts that the gate needs to decide about a stop of the main agent.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// The claim in the agent's last message that the work is done, if there is one.
    pub claim: Option<&'a Claim>,
    /// The current content of the work.
    pub content: &'a Content,
    /// The depth that a verification of the content needs: see [`super::wanted_depth`].
    pub depth: Depth,
    /// The results of the live checks that were made. Live checks can change while the content
    /// stays the same.
    pub live: &'a [(CheckKind, Came)],
    /// The step with which the agent can get a review of the work.
    pub review_step: &'a str,
    /// Whether the agent waits for a background subagent that has not reported yet.
    pub waits: bool,
    /// Whether the limit on the refused stops of all gates allows one more refusal.
    pub may_refuse: bool,
    /// The project's directory, if the person doesn't trust it. In this case, the agent's client
    /// asks the person before the agent runs the checks.
    pub untrusted: Option<&'a str>,
}
