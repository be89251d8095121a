//! What can happen to the gate.

use verger_event::SubagentId;

use super::change::Refusal;
use super::decision::Decision;
use super::reviewing::{Proof, ReviewerId, TokenHash};
use super::run::Ran;
use super::want::GatedCall;
use crate::Content;

/// Something that the gate may have to do with. The event itself is in the state already.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// A person gave the main agent a prompt.
    Prompt {
        /// Its text.
        text: &'a str,
    },
    /// An agent wants to use a tool that the user gated.
    GatedTool {
        /// The call.
        call: &'a GatedCall,
        /// What the work amounts to.
        content: &'a Content,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// A reviewer begins.
    ReviewerStarted {
        /// Which.
        reviewer: ReviewerId,
        /// How its decision will be known.
        proof: Proof,
        /// What the work amounts to.
        content: &'a Content,
    },
    /// An agent wants to run the command that decides.
    DecideSeen(DecideCall),
    /// The command that decides runs.
    Decide {
        /// The token it was given.
        token: Option<TokenHash>,
        /// The decision it was given.
        given: Given<'a>,
    },
    /// The program that verger ran for a review has ended.
    RunEnded {
        /// Which run.
        job: &'a str,
        /// How it ended.
        ran: &'a Ran,
        /// What came of it.
        given: Given<'a>,
    },
    /// A reviewer wants to stop.
    ReviewerStop {
        /// Which.
        reviewer: &'a SubagentId,
    },
    /// A reviewer ended because its model service failed.
    ReviewerFailed {
        /// Which.
        reviewer: &'a SubagentId,
        /// The client's error message.
        error: &'a str,
    },
    /// A person opens the gate.
    Skip {
        /// Why, as far as the person said it.
        reason: Option<&'a str>,
    },
}

/// What is known when the main agent wants to stop.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// What the work amounts to.
    pub content: &'a Content,
    /// Whether a subagent runs in the background that will be heard of.
    pub waits: bool,
    /// Whether one more stop may be refused, by whichever gates.
    pub may_refuse: bool,
    /// The template that a refusal would use.
    pub template: &'a str,
}

/// The command that decides, as it was seen before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecideCall {
    /// The subagent that wants to run it; nobody is the main agent.
    pub by: Option<SubagentId>,
    /// What stands on the command line, or why it cannot be taken.
    pub said: Result<(TokenHash, Decision), Refusal>,
}

/// A decision that is to be taken.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The decision.
    pub decision: &'a Decision,
    /// What the work amounts to now.
    pub content: &'a Content,
    /// Which files differ from what the reviewer looked at, as far as that is known.
    pub changed_paths: &'a [String],
}
