//! The files of a piece of work, each once, with all that is known of it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// So many files, and so many bytes of their paths.
const MAX_FILES: usize = 96;
const MAX_BYTES: usize = 6 * 1024;

/// What is known of a file; several may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Read, changed or found.
    Seen = 1,
    /// Looked at before the first change.
    LookedAt = 2,
    /// Changed although it has little to do with the goal.
    Strayed = 4,
    /// Changed for what seemed to belong to the goal.
    HalfKnown = 8,
    /// Changed for the goal.
    Known = 16,
    /// Not there before it was written.
    Made = 32,
    /// Changed otherwise than by what is to be taken back.
    Stays = 64,
}

impl Mark {
    fn bit(self) -> u8 {
        self as u8
    }
}

/// Files and their marks, the latest last. Those that were only looked at are forgotten before those that were changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Files(VecDeque<(String, u8)>);

impl Files {
    /// Notes something of a file.
    pub(super) fn note(&mut self, file: &str, mark: Mark) {
        let known = self.0.iter().position(|(path, _)| path == file);
        let (path, marks) =
            known.and_then(|at| self.0.remove(at)).unwrap_or_else(|| (file.to_owned(), 0));
        let mut bytes: usize =
            path.len() + self.0.iter().map(|(path, _)| path.len()).sum::<usize>();
        while !self.0.is_empty() && (self.0.len() >= MAX_FILES || bytes > MAX_BYTES) {
            let was_changed = Mark::Strayed.bit() | Mark::HalfKnown.bit() | Mark::Known.bit();
            let least = self.0.iter().position(|(_, marks)| marks & was_changed == 0);
            if let Some((path, _)) = self.0.remove(least.unwrap_or(0)) {
                bytes -= path.len();
            }
        }
        self.0.push_back((path, marks | mark.bit()));
    }

    /// Forgets something of a file.
    pub(super) fn forget(&mut self, file: &str, mark: Mark) {
        if let Some((_, marks)) = self.0.iter_mut().find(|(path, _)| path == file) {
            *marks &= !mark.bit();
        }
    }

    /// Whether that is known of the file.
    pub(super) fn has(&self, file: &str, mark: Mark) -> bool {
        self.with(mark).any(|path| path == file)
    }

    /// The files of which it is known, the oldest first.
    pub(super) fn with(&self, mark: Mark) -> impl Iterator<Item = &str> {
        self.with_both(mark, mark)
    }

    /// The files of which both are known.
    pub(super) fn with_both(&self, one: Mark, other: Mark) -> impl Iterator<Item = &str> {
        let both = one.bit() | other.bit();
        let has = move |marks: u8| marks & both == both;
        self.0.iter().filter(move |(_, marks)| has(*marks)).map(|(path, _)| path.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_only_seen_is_forgotten_first() {
        let mut files = Files::default();
        files.note("changed", Mark::Known);
        for n in 0..MAX_FILES {
            files.note(&format!("seen{n}"), Mark::Seen);
        }
        files.note("seen1", Mark::LookedAt);
        let last = format!("seen{}", MAX_FILES - 1);
        let kept = ["changed", "seen0", "seen1", last.as_str()].map(|file| {
            (
                files.has(file, Mark::Known),
                files.has(file, Mark::Seen),
                files.has(file, Mark::LookedAt),
            )
        });
        let (known, seen) = ((true, false, false), (false, true, false));
        assert_eq!(kept, [known, (false, false, false), (false, true, true), seen]);
        assert_eq!(files.0.len(), MAX_FILES);
    }

    #[test]
    fn long_paths_leave_room_for_fewer() {
        let mut files = Files::default();
        for n in 0..100 {
            files.note(&format!("{n}{}", "a".repeat(2000)), Mark::Known);
        }
        assert_eq!(files.0.len(), 3);
    }
}
