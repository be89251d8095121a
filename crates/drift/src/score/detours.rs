//! Changes that led away, until they are taken back.
//!
//! A file is as it was when git brought it back, when it was made here and is gone again, when it lies again where it lay, when every
//! edit of it was answered by one that exchanges the same texts the other way round, or when it is written as it was before the
//! first of them. What was committed is brought back from another commit than the last, or by reverting its own.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::bounded::is_default;
use crate::recovery::Alignment;
use crate::step::{Action, Command, Committed, Effect, Exchange, Source, Step, Text};

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
    #[serde(default, rename = "k", skip_serializing_if = "is_default")]
    kept: Kept,
}

/// How far git knows of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kept {
    /// It does not.
    #[default]
    Here,
    /// It is in the next commit.
    Staged,
    /// It is in the last commit, which is named so where that is known.
    Last(String),
    /// It is in a commit before that.
    Before(String),
}

/// What was done to a file, as far as that says how it is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Did {
    /// One text was exchanged for another.
    Edited(Exchange),
    /// It lies elsewhere, or lay there.
    Moved(Exchange),
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
    /// Those of these that are as they were before the work.
    pub(super) undone: Vec<String>,
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
    /// Notes a change that led away, and says whether it is the first of its file.
    pub(super) fn note(&mut self, file: &str, did: Did) -> bool {
        // What the file was before the first of them it is when all are taken back.
        let first = self.0.iter().find(|detour| detour.file == file);
        let (is_first, original) = (first.is_none(), first.and_then(|first| first.original));
        if self.0.len() >= MAX_DETOURS {
            self.0.pop_front();
        }
        self.0.push_back(Detour { file: file.to_owned(), did, original, kept: Kept::Here });
        is_first
    }

    /// Notes what a file was before the first of them.
    pub(super) fn was(&mut self, file: &str, original: u64) {
        for detour in self.0.iter_mut().filter(|detour| detour.file == file) {
            detour.original = Some(original);
        }
    }

    /// Takes out what a step takes back. An edit that goes on from what another one left moves it.
    pub(super) fn take_back(&mut self, step: &Step) -> TakenBack {
        // The same edit may have been made in several places: each is taken back by one of its own.
        let moved = self.0.iter_mut().rev().find_map(|detour| detour.moved_by(step));
        for command in &step.commands {
            for detour in &mut self.0 {
                detour.exchanged_by(command);
            }
        }
        let mut taken = TakenBack { moved, ..TakenBack::default() };
        self.0.retain(|detour| {
            let is_back = detour.is_taken_back_by(step);
            if is_back {
                taken.bearing = Alignment::Aligned;
                taken.touched.extend(detour.moved_paths(step));
            }
            if (is_back || detour.may_be_taken_back_by(step)) && !taken.is_about(&detour.file) {
                taken.touched.push(detour.file.clone());
            }
            !is_back
        });
        let is_left = |file: &String| self.0.iter().any(|detour| detour.file == *file);
        taken.whole = taken.touched.iter().filter(|file| !is_left(file)).cloned().collect();
        taken
    }

    /// Notes how far git knows of them after a step.
    pub(super) fn keep(&mut self, step: &Step) {
        let commit = step.outlook.commit.as_deref().unwrap_or_default();
        for command in &step.commands {
            for detour in &mut self.0 {
                detour.keep(&command.effect, commit);
            }
        }
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
        let Text::Exchanged(next) = step.text else { return None };
        *before = before.then(next).filter(|_| step.changed_files() == [self.file.as_str()])?;
        Some(self.file.clone())
    }

    /// A command exchanges in all places.
    fn exchanged_by(&mut self, command: &Command) {
        let Did::Edited(before) = &mut self.did else { return };
        if let Effect::Exchanges(exchanges) = &command.effect
            && command.changes.contains(&self.file)
        {
            let after = exchanges.iter().fold(*before, |before, next| {
                before.then(*next).filter(|both| both.is_nothing()).unwrap_or(before)
            });
            *before = after;
        }
    }

    fn is_taken_back_by(&self, step: &Step) -> bool {
        let is_as_it_was = match self.did {
            Did::Made => step.removes(&self.file),
            Did::Edited(exchange) => exchange.is_nothing(),
            Did::Moved(_) => self.moved_paths(step).next().is_some(),
            Did::Changed => false,
        };
        let is_rewritten =
            self.original.is_some_and(|original| step.text == Text::Written(original))
                && step.changed_files() == [self.file.as_str()];
        let is_undone = |command: &Command| self.is_undone_by(&command.effect);
        is_as_it_was || is_rewritten || step.commands.iter().any(is_undone)
    }

    fn is_undone_by(&self, effect: &Effect) -> bool {
        match effect {
            Effect::Restores(paths, source) => {
                let is_there = match self.kept {
                    Kept::Here | Kept::Staged => true,
                    Kept::Last(_) | Kept::Before(_) => *source == Source::Other,
                };
                is_there && paths.has(&self.file)
            }
            Effect::Cleans(paths) => {
                self.did == Did::Made && self.kept == Kept::Here && paths.has(&self.file)
            }
            Effect::Reverts(commit) => match &self.kept {
                Kept::Here | Kept::Staged => false,
                Kept::Last(own) => matches!(commit.as_str(), "HEAD" | "@") || is_same(own, commit),
                Kept::Before(own) => is_same(own, commit),
            },
            _ => false,
        }
    }

    /// Where a file was and is, if a step moves it back.
    fn moved_paths(&self, step: &Step) -> impl Iterator<Item = String> {
        let back = match self.did {
            Did::Moved(there) => {
                step.moves().find(|(from, to)| Exchange::of_texts(from, to).is_reverse_of(there))
            }
            _ => None,
        };
        back.into_iter().flat_map(|(from, to)| [from.clone(), to.clone()])
    }

    /// What only takes out something of it may be on the way back, by other edits than the first; and what exchanges the same where
    /// nobody knows whether it is in the same place.
    fn may_be_taken_back_by(&self, step: &Step) -> bool {
        if !step.changed_files().contains(&self.file) {
            return false;
        }
        let takes_out = step.action == Action::Edit && step.takes_away;
        let may_undo = |other: Exchange| match self.did {
            Did::Edited(exchange) => exchange.may_be_undone_by(other),
            Did::Moved(_) | Did::Made | Did::Changed => false,
        };
        takes_out || step.exchanges(&self.file).any(may_undo)
    }

    fn keep(&mut self, effect: &Effect, commit: &str) {
        let kept = std::mem::take(&mut self.kept);
        let is_staged = kept == Kept::Staged;
        self.kept = match (effect, kept) {
            (Effect::Stages(paths), Kept::Here) if paths.has(&self.file) => Kept::Staged,
            (Effect::Uncommits, Kept::Last(_)) => Kept::Here,
            (Effect::Commits(new), kept @ (Kept::Here | Kept::Staged)) => {
                let is_in = match new {
                    Committed::Staged | Committed::Amended => is_staged,
                    Committed::Changed => is_staged || self.did != Did::Made,
                    Committed::Only(paths) => paths.has(&self.file),
                    Committed::Others => false,
                };
                if is_in { Kept::Last(commit.to_owned()) } else { kept }
            }
            (Effect::Commits(Committed::Amended), Kept::Last(_)) => Kept::Last(commit.to_owned()),
            (Effect::Commits(_) | Effect::Reverts(_), Kept::Last(own)) => Kept::Before(own),
            (_, kept) => kept,
        };
    }
}

/// Whether two names of a commit, one of them in short, are of the same.
fn is_same(own: &str, named: &str) -> bool {
    !own.is_empty() && named.len() >= 4 && (own.starts_with(named) || named.starts_with(own))
}
