//! Changes that led away, until they are taken back.
//!
//! A file is as it was when git brought it back, when it was made here and is gone again, or when every edit of it was
//! answered by one that exchanges the same texts the other way round, or when it is written as it was before the first of them.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::recovery::Alignment;
use crate::step::{Action, Exchange, Step};

/// So many are remembered.
const MAX_DETOURS: usize = 16;

/// The changes of files that led away, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Detours(VecDeque<Detour>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Detour {
    #[serde(rename = "f")]
    file: String,
    #[serde(rename = "d")]
    did: Did,
    /// A mark of the file before it.
    #[serde(default, rename = "o", skip_serializing_if = "Option::is_none")]
    original: Option<u64>,
}

/// What was done to a file, as far as that says how it is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Did {
    /// One text was exchanged for another.
    Edited(Exchange),
    /// It was not there before.
    Made,
    /// Anything else.
    Changed,
}

/// What a step takes back.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TakenBack {
    /// Whether it leads back.
    pub(super) bearing: Alignment,
    /// The files and folders of which it takes something back, or may.
    pub(super) touched: Vec<String>,
    /// Those of them of which nothing is left that led away.
    pub(super) whole: Vec<String>,
    /// The file in which it goes on from a change that led away.
    moved: Option<String>,
}

impl TakenBack {
    /// Whether what it does to a file is that.
    pub(super) fn is_about(&self, file: &str) -> bool {
        self.touched.iter().any(|touched| touched == file)
    }

    /// Whether a detour that is noted already has what it does to a file.
    pub(super) fn goes_on(&self, file: &str) -> bool {
        self.moved.as_deref() == Some(file)
    }
}

impl Detours {
    /// Notes a change that led away.
    pub(super) fn note(&mut self, file: &str, did: Did, step: &Step) {
        // What the file was before the first of them it is when all are taken back.
        let first = self.0.iter().find(|detour| detour.file == file);
        let original = first.map_or(step.original, |first| first.original);
        if self.0.len() >= MAX_DETOURS {
            self.0.pop_front();
        }
        self.0.push_back(Detour { file: file.to_owned(), did, original });
    }

    /// Takes out what a step takes back. An edit that goes on from what another one left moves it.
    pub(super) fn take_back(&mut self, step: &Step) -> TakenBack {
        // The same edit may have been made in several places: each is taken back by one of its own.
        let moved = self.0.iter_mut().rev().find_map(|detour| detour.moved_by(step));
        let mut taken = TakenBack { moved, ..TakenBack::default() };
        self.0.retain(|detour| {
            let is_back = detour.is_taken_back_by(step);
            if is_back {
                taken.bearing = Alignment::Aligned;
            }
            // What only takes out something of it may be on the way back, by other edits than the first.
            let may_be = step.action == Action::Edit
                && step.takes_away
                && step.changed_files().contains(&detour.file);
            if (is_back || may_be) && !taken.is_about(&detour.file) {
                taken.touched.push(detour.file.clone());
            }
            !is_back
        });
        let is_left = |file: &String| self.0.iter().any(|detour| detour.file == *file);
        taken.whole = taken.touched.iter().filter(|file| !is_left(file)).cloned().collect();
        taken
    }

    /// A person spoke: what was done until then is theirs to judge.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Detour {
    /// The file, if a step goes on from the text that the change put there, which then counts as one with it.
    fn moved_by(&mut self, step: &Step) -> Option<String> {
        let Did::Edited(before) = &mut self.did else { return None };
        let next = step.exchange.filter(|_| step.changed_files() == [self.file.as_str()]);
        *before = before.then(next?)?;
        Some(self.file.clone())
    }

    fn is_taken_back_by(&self, step: &Step) -> bool {
        let is_as_it_was = match self.did {
            Did::Made => step.removes(&self.file),
            Did::Edited(exchange) => exchange.is_nothing(),
            Did::Changed => false,
        };
        let is_rewritten = self.original.is_some()
            && step.written == self.original
            && step.changed_files() == [self.file.as_str()];
        is_as_it_was || is_rewritten || step.restores(&self.file)
    }
}
