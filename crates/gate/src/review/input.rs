//! The inputs of the gate.

use verger_event::SubagentId;

use super::change::Refusal;
use super::decision::Decision;
use super::reviewing::{Proof, ReviewerId, TokenHash};
use super::run::Ran;
use super::want::GatedCall;
use crate::Content;

/// An input of the gate. The gate's state already includes the event that caused the input.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// A person gave the main agent a prompt.
    Prompt {
        /// The prompt's text.
        text: &'a str,
    },
    /// An agent wants to use a tool that the user gated.
    GatedTool {
        /// The call.
        call: &'a GatedCall,
        /// The content of the work.
        content: &'a Content,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// A reviewer begins.
    ReviewerStarted {
        /// The reviewer.
        reviewer: ReviewerId,
        /// The proof that the reviewer's decision will need.
        proof: Proof,
        /// The content of the work.
        content: &'a Content,
    },
    /// An agent wants to run `verger decide`.
    DecideSeen(DecideCall),
    /// `verger decide` runs.
    Decide {
        /// The token that the command got.
        token: Option<TokenHash>,
        /// The decision.
        given: Given<'a>,
    },
    /// The program that verger ran for a review has ended.
    RunEnded {
        /// The run.
        job: &'a str,
        /// The end of the run.
        ran: &'a Ran,
        /// The decision in the program's output.
        given: Given<'a>,
    },
    /// A reviewer wants to stop.
    ReviewerStop {
        /// The reviewer.
        reviewer: &'a SubagentId,
    },
    /// A reviewer ended because its model service failed.
    ReviewerFailed {
        /// The reviewer.
        reviewer: &'a SubagentId,
        /// The client's error message.
        error: &'a str,
    },
    /// A person opens the gate.
    Skip {
        /// The person's reason, if there is one.
        reason: Option<&'a str>,
    },
}

/// The facts about a stop that the main agent wants to make.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// The content of the work.
    pub content: &'a Content,
    /// Whether the agent waits for a background subagent that will report.
    pub waits: bool,
    /// Whether the limit across all gates allows one more refused stop.
    pub may_refuse: bool,
    /// The template that a refusal would use.
    pub template: &'a str,
}

/// The call of `verger decide`, as the hook saw it before it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecideCall {
    /// The subagent that wants to run the command; `None` for the main agent.
    pub by: Option<SubagentId>,
    /// The token and decision on the command line, or the reason for rejecting the line.
    pub said: Result<(TokenHash, Decision), Refusal>,
}

/// A decision to be accepted or rejected.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The decision.
    pub decision: &'a Decision,
    /// The content of the work now.
    pub content: &'a Content,
    /// The known files that changed since the reviewer started.
    pub changed_paths: &'a [String],
}
