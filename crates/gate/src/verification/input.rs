//! What can happen to the gate.

use verger_event::ContentHash;

use super::Depth;
use super::check::CheckKind;
use super::claim::Claim;
use super::failures::WatchedKind;
use super::ran::Came;
use super::verified::Verified;
use crate::Content;

/// Something that the gate may have to do with. The event itself is in the state already.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// A verification begins.
    Started {
        /// The run's id.
        run: &'a str,
        /// How deep it looks.
        depth: Depth,
        /// The content that it looks at.
        content: &'a ContentHash,
    },
    /// A verification ended with this.
    Ended(&'a Verified),
    /// A verification will not come to an end.
    Lost {
        /// The run's id.
        run: &'a str,
    },
    /// A watched tool failed.
    Failed {
        /// What, as people would type it.
        what: &'a str,
        /// What it is for.
        kind: WatchedKind,
    },
    /// A tool succeeded.
    Succeeded {
        /// What, as people would type it.
        what: &'a str,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// A person opens the gate.
    Skip {
        /// Why, as far as the person said it.
        reason: Option<&'a str>,
    },
}

/// What is known when the main agent wants to stop.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// What in its last message says that the work is done.
    pub claim: Option<&'a Claim>,
    /// What the work amounts to.
    pub content: &'a Content,
    /// How deep a verification of it has to look: see [`super::wanted_depth`].
    pub depth: Depth,
    /// What can change while the content stays, as far as it was looked at.
    pub live: &'a [(CheckKind, Came)],
    /// How the work gets its review.
    pub review_step: &'a str,
    /// Whether a subagent runs in the background that will be heard of.
    pub waits: bool,
    /// Whether one more stop may be refused, by whichever gates.
    pub may_refuse: bool,
    /// The project's directory, if the person does not trust it: clients then ask before the agent runs the checks.
    pub untrusted: Option<&'a str>,
}
