//! What is known of the work as it is, when its agent wants to stop.

use verger_event::ContentHash;

use super::Depth;
use super::run::{Ended, Started};
use super::verified::{Status, Verified};
use super::{Verification, check::CheckKind};

/// What is known of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookedUp<'a> {
    /// It is green, as deep as was asked.
    Green,
    /// Something is wrong with it, and what, where that is remembered.
    Red(Option<&'a Verified>),
    /// A required check of it did not run, and which, where that is remembered.
    Incomplete(Option<&'a Verified>),
    /// It is green, and not as deep as was asked.
    Shallow(Depth),
    /// A verification of it was started, and its result was not taken yet.
    Started(&'a Started),
    /// Something else was verified in this task.
    Changed,
    /// Nothing was.
    Nothing,
}

impl Verification {
    /// How deep a verification of this content has to look where this depth is wanted: what a deeper
    /// one found wrong only one as deep can find well.
    pub fn wanted(&self, content: &ContentHash, depth: Depth) -> Depth {
        self.outcomes.wrong(content).map_or(depth, |wrong| wrong.depth.max(depth))
    }

    /// The last verification, if it is of this content and not green.
    pub(super) fn found_wrong(&self, content: &ContentHash) -> Option<&Verified> {
        let last = self.last.as_ref().map(|Ended { verified, .. }| verified);
        last.filter(|last| last.content == *content && last.lasting() != Status::Green)
    }

    /// What is known of work with this content, where a verification of this depth is wanted.
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

/// The kind of the check with this name.
pub(super) fn kind_of(verified: &Verified, name: &str) -> Option<CheckKind> {
    verified.checks.iter().find(|check| check.name == name).map(|check| check.kind)
}
