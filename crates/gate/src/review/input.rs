//! The inputs of the review gate.

use verger_event::SubagentId;

use super::change::Refusal;
use super::decision::Decision;
use super::reviewing::{Proof, ReviewerId, TokenHash};
use super::run::Ran;
use super::want::GatedCall;
use crate::Content;

/// An input of the review gate. The gate's state already includes the event that caused the input.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// A person sent the main agent a prompt.
    Prompt {
        /// The text of the prompt.
        text: &'a str,
    },
    /// An agent wants to use a tool that the user gated.
    GatedTool {
        /// The call of the gated tool.
        call: &'a GatedCall,
        /// The current content of the work.
        content: &'a Content,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// A reviewer begins to review the work.
    ReviewerStarted {
        /// The reviewer that begins the review.
        reviewer: ReviewerId,
        /// The proof that the reviewer's decision will need.
        proof: Proof,
        /// The content of the work that the reviewer reviews.
        content: &'a Content,
    },
    /// An agent wants to run `verger decide`.
    DecideSeen(DecideCall),
    /// `verger decide` runs.
    Decide {
        /// The token that the command got, as a hash.
        token: Option<TokenHash>,
        /// The decision that the command makes.
        given: Given<'a>,
    },
    /// The program that verger ran for a review has ended.
    RunEnded {
        /// The id of the run.
        job: &'a str,
        /// The end of the run.
        ran: &'a Ran,
        /// The decision in the program's output.
        given: Given<'a>,
    },
    /// A reviewer wants to stop.
    ReviewerStop {
        /// The reviewer that wants to stop.
        reviewer: &'a SubagentId,
    },
    /// A reviewer ended because its model service failed.
    ReviewerFailed {
        /// The reviewer that ended.
        reviewer: &'a SubagentId,
        /// The error message that the client reported.
        error: &'a str,
    },
    /// A person opens the gate.
    Skip {
        /// The person's reason for opening the gate, if one was given.
        reason: Option<&'a str>,
    },
}

/// The facts that the gate needs to decide about a stop of the main agent.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// The current content of the work.
    pub content: &'a Content,
    /// Whether the agent waits for a background subagent that has not reported yet.
    pub waits: bool,
    /// Whether the limit on the refused stops of all gates allows one more refusal.
    pub may_refuse: bool,
    /// The template for the message, if the stop is refused.
    pub template: &'a str,
}

/// A call of `verger decide`, as the hook saw it before it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecideCall {
    /// The subagent that wants to run the command. `None` for the main agent.
    pub by: Option<SubagentId>,
    /// The token and the decision on the command line, or the reason for rejecting them.
    pub said: Result<(TokenHash, Decision), Refusal>,
}

/// A decision that the gate must accept or reject.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The decision that a reviewer made.
    pub decision: &'a Decision,
    /// The current content of the work.
    pub content: &'a Content,
    /// The files that changed since the reviewer started, as far as they are known.
    pub changed_paths: &'a [String],
}
