//! Looks up the verification result for the current content when an agent wants to stop.

use verger_event::ContentHash;

use super::Depth;
use super::run::{Ended, Started};
use super::verified::{Status, Verified};
use super::{Verification, check::CheckKind};

/// The result of looking up the verification of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookedUp<'a> {
    /// A verification of the content at the required depth or a deeper one was green.
    Green,
    /// A verification of the content was red. The value is its result, if the state still has it.
    Red(Option<&'a Verified>),
    /// A verification of the content was incomplete: a required check didn't run. The value is its
    /// result, if the state still has it.
    Incomplete(Option<&'a Verified>),
    /// A verification of the content was green, but at this depth, which is shallower than
    /// required.
    Shallow(Depth),
    /// A verification of the content was started and has no result yet.
    Started(&'a Started),
    /// This content wasn't verified, but another content was verified in the task.
    Changed,
    /// No content was verified in the task.
    Nothing,
}

impl Verification {
    /// The depth that a verification of this content needs. If the content wasn't green at a deeper
    /// level, it needs that level again.
    pub fn wanted(&self, content: &ContentHash, depth: Depth) -> Depth {
        self.outcomes.wrong(content).map_or(depth, |wrong| wrong.depth.max(depth))
    }

    /// The last verification, if it is of this content and wasn't green.
    pub(super) fn found_wrong(&self, content: &ContentHash) -> Option<&Verified> {
        let last = self.last.as_ref().map(|Ended { verified, .. }| verified);
        last.filter(|last| last.content == *content && last.lasting() != Status::Green)
    }

    /// Looks up the verification of a content. `wanted` is the depth that the agent's stop
    /// requires.
    pub(super) fn look_up(&self, content: &ContentHash, wanted: Depth) -> LookedUp<'_> {
        let found = self.found_wrong(content);
        match self.outcomes.wrong(content).map(|wrong| wrong.status) {
            Some(Status::Red) => return LookedUp::Red(found),
            Some(Status::Incomplete) => return LookedUp::Incomplete(found),
            Some(Status::Green) | None => {}
        }
        let green = self.outcomes.green(content);
        if green.is_some_and(|green| green.depth >= wanted) {
            return LookedUp::Green;
        }
        let is_of_it = |started: &&Started| started.content == *content && started.depth >= wanted;
        match (self.started.as_ref().filter(is_of_it), green) {
            (Some(started), _) => LookedUp::Started(started),
            (None, Some(green)) => LookedUp::Shallow(green.depth),
            (None, None) if self.last.is_some() => LookedUp::Changed,
            (None, None) => LookedUp::Nothing,
        }
    }
}

/// The kind of the check with this name in a verification.
pub(super) fn kind_of(verified: &Verified, name: &str) -> Option<CheckKind> {
    verified.checks.iter().find(|check| check.name == name).map(|check| check.kind)
}
