//! What a reflection is wanted for.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp, ToolUseId};

use super::changed::Changed;
use super::ticket::{Close, Failing, Stage, Ticket, TicketName, beginning};
use crate::blocks::Mark;

/// How many closed tickets are remembered by name.
const REMEMBERED: usize = 16;
const MAX_REFUSAL_BYTES: usize = 400;

/// A reflection that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// The tickets whose closing makes it wanted.
    pub closes: Vec<Close>,
    /// How many more were closed than there was room for.
    pub more: u64,
    /// What the session changed, when that alone makes it wanted.
    pub changed: Option<Changed>,
    /// Since when.
    pub since: Timestamp,
    /// The ticket that was being worked on, closed by now or not.
    pub in_hand: Option<Ticket>,
    /// Why the last reflection was not taken.
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

    /// Whether nothing makes it wanted any more.
    pub(super) fn is_void(&self) -> bool {
        self.closes.is_empty() && self.more == 0 && self.changed.is_none()
    }

    /// The tickets that it is about: the closed ones, otherwise the one in hand.
    pub fn tickets(&self) -> Vec<TicketName> {
        let closed: Vec<_> = self.closes.iter().map(|close| close.ticket.clone()).collect();
        if closed.is_empty() {
            return self.in_hand.iter().map(|ticket| ticket.name.clone()).collect();
        }
        closed
    }

    /// In a few words: what happened.
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

    /// What is different when the agent moved: another ticket, or another reflection.
    pub(super) fn mark(&self) -> Mark {
        let mut names: Vec<_> = self.closes.iter().map(|close| close.ticket.to_string()).collect();
        names.sort();
        names.push(self.more.to_string());
        Mark { content: ContentHash::new(names.join(", ")), findings: self.refusal.clone() }
    }
}

/// How a call ended that closes tickets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// Well.
    Succeeded,
    /// With an error.
    Failed,
    /// It never ran.
    Refused,
    /// It ran, and it is not known whether the ticket is closed.
    Unclear,
}

/// A call that ended, by what tells it from others.
#[derive(Debug, Clone, Copy)]
pub struct EndedCall<'a> {
    /// Its id, where the agent names its calls.
    pub id: Option<&'a ToolUseId>,
    /// What it closes, by its line.
    pub closes: &'a [Close],
    /// How it ended.
    pub end: CallEnd,
}

impl EndedCall<'_> {
    /// Whether this is what it closes.
    fn is_of(&self, close: &Close) -> bool {
        match (self.id, &close.call) {
            (Some(id), Some(call)) => id == call,
            (None, None) => self.closes.iter().any(|known| known.ticket == close.ticket),
            _ => false,
        }
    }

    /// What it tells of a close that has no result yet.
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
