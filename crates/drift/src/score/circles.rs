//! Changing the same again and again.

use serde::{Deserialize, Serialize};

use crate::bounded::Recent;
use crate::step::Outlook;

/// So many files are watched.
const MAX_FILES: usize = 8;
/// So many failures are told apart.
const MAX_FAILURES: usize = 12;
/// From so many changes in a row a person loses patience.
pub(super) const PATIENCE: u32 = 5;

/// How often files were changed while the same went on failing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Circles {
    changes: Vec<(String, u32)>,
    failures: Recent<u64, MAX_FAILURES>,
    fails: u32,
}

impl Circles {
    /// A file was changed.
    pub(super) fn changed(&mut self, file: &str) {
        // What was changed before anything failed is not yet again.
        if self.fails == 0 {
            return;
        }
        if let Some((_, count)) = self.changes.iter_mut().find(|(known, _)| known == file) {
            *count = count.saturating_add(1);
            return;
        }
        if self.changes.len() >= MAX_FILES {
            self.changes.remove(0);
        }
        self.changes.push((file.to_owned(), 1));
    }

    /// A check failed. What failed otherwise than before is progress.
    pub(super) fn failed(&mut self, Outlook { mark, first, .. }: &Outlook) {
        self.fails = self.fails.saturating_add(1);
        let marks = || [*mark, *first].into_iter().flatten();
        let is_same = marks().any(|mark| self.failures.has(&mark));
        if !is_same && !self.failures.is_empty() && mark.is_some() {
            self.learned();
        }
        for mark in marks() {
            if !self.failures.has(&mark) {
                self.failures.add(mark);
            }
        }
    }

    /// Something new is known.
    pub(super) fn learned(&mut self) {
        for (_, count) in &mut self.changes {
            *count = count.saturating_sub(2);
        }
    }

    /// A check succeeded, or a person spoke.
    pub(super) fn ended(&mut self) {
        *self = Self::default();
    }

    /// The file that is changed most, when nobody would go on watching.
    pub(super) fn worst(&self) -> Option<(&str, u32)> {
        let (file, count) = self.changes.iter().max_by_key(|(_, count)| *count)?;
        (*count >= PATIENCE && self.fails >= 3).then_some((file.as_str(), *count))
    }
}
