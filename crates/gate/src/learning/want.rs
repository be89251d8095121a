//! A reflection that the learning gate wants, and the reasons for it.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp, ToolUseId};

use super::changed::Changed;
use super::ticket::{Close, Failing, Stage, Ticket, TicketName, beginning};
use crate::blocks::Mark;

/// The maximum number of closed tickets that are stored by name.
const REMEMBERED: usize = 16;
const MAX_REFUSAL_BYTES: usize = 400;

/// A reflection that the gate wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// The closed tickets that are the reason for the reflection.
    pub closes: Vec<Close>,
    /// The number of closed tickets that aren't stored in `closes`, because there are too many.
    pub more: u64,
    /// The size of the session's change of files, if the change is the reason for the reflection.
    pub changed: Option<Changed>,
    /// The time when the reflection became wanted.
    pub since: Timestamp,
    /// The ticket that the agent was working on when the reflection became wanted. It may be closed
    /// by now.
    pub in_hand: Option<Ticket>,
    /// The reason why the gate rejected the last reflection.
    pub refusal: Option<String>,
}

impl Want {
    pub(super) fn new(in_hand: Option<Ticket>, since: Timestamp) -> Self {
        Self { closes: vec![], more: 0, changed: None, since, in_hand, refusal: None }
    }

    pub(super) fn add(&mut self, close: &Close) {
        let has_room = self.closes.len() < REMEMBERED;
        match self.closes.iter_mut().find(|known| known.ticket == close.ticket) {
            Some(known) if known.stage == Stage::Done => {}
            Some(known) => *known = close.clone(),
            None if has_room => self.closes.push(close.clone()),
            None => self.more = self.more.saturating_add(1),
        }
    }

    pub(super) fn refused(&mut self, why: &str) {
        self.refusal = Some(beginning(why, MAX_REFUSAL_BYTES));
    }

    /// Whether no reason for the reflection remains.
    pub(super) fn is_void(&self) -> bool {
        self.closes.is_empty() && self.more == 0 && self.changed.is_none()
    }

    /// The tickets that the reflection is about: the closed tickets, or else the current ticket.
    pub fn tickets(&self) -> Vec<TicketName> {
        let closed: Vec<_> = self.closes.iter().map(|close| close.ticket.clone()).collect();
        if closed.is_empty() {
            return self.in_hand.iter().map(|ticket| ticket.name.clone()).collect();
        }
        closed
    }

    /// The reason for the reflection in a few words, for messages.
    pub fn words(&self) -> String {
        let mut names: Vec<_> = self.closes.iter().map(|close| close.ticket.to_string()).collect();
        if self.more > 0 {
            names.push(format!("{} more", self.more));
        }
        match (&names[..], self.changed) {
            ([], Some(changed)) => format!("this session changed {changed}"),
            ([], None) => "work was done".to_owned(),
            ([name], _) => format!("{name} was closed"),
            (names, _) => format!("{} were closed", names.join(", ")),
        }
    }

    /// The agent's progress, for counting refused stops. It changes when another ticket is closed
    /// or another reflection is rejected.
    pub(super) fn mark(&self) -> Mark {
        let mut names: Vec<_> = self.closes.iter().map(|close| close.ticket.to_string()).collect();
        names.sort();
        names.push(self.more.to_string());
        Mark { content: ContentHash::new(names.join(", ")), findings: self.refusal.clone() }
    }
}

/// The result of a tool call that closes tickets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// The call succeeded.
    Succeeded,
    /// The call failed.
    Failed,
    /// The call never ran, because it was denied or interrupted.
    Refused,
    /// The call ran, but it isn't known whether the ticket is closed.
    Unclear,
}

/// A tool call that ended, and the tickets that it closes.
#[derive(Debug, Clone, Copy)]
pub struct EndedCall<'a> {
    /// The call's id, if the client gives ids to calls.
    pub id: Option<&'a ToolUseId>,
    /// The tickets that the call's command line closes.
    pub closes: &'a [Close],
    /// The result of the call.
    pub end: CallEnd,
}

impl EndedCall<'_> {
    /// Whether the close belongs to this call.
    fn is_of(&self, close: &Close) -> bool {
        match (self.id, &close.call) {
            (Some(id), Some(call)) => id == call,
            (None, None) => self.closes.iter().any(|known| known.ticket == close.ticket),
            _ => false,
        }
    }

    /// The result of the close that this call shows. `None` if the close belongs to another call or
    /// already has a result.
    pub(super) fn tells_of(&self, close: &Close) -> Option<CallEnd> {
        if !self.is_of(close) || close.stage == Stage::Done {
            return None;
        }
        Some(match (self.end, close.failing) {
            (CallEnd::Failed, Failing::MeansNothing) => CallEnd::Unclear,
            (end, _) => end,
        })
    }
}
