//! Limits the texts that are composed from parts of a line, which may be much longer than the line.

use std::cell::Cell;

use crate::reader::MAX_TEXT;

/// The remaining length that may be composed.
#[derive(Debug)]
pub(crate) struct Room {
    left: Cell<usize>,
    was_short: Cell<bool>,
}

impl Room {
    pub(crate) fn new(length: usize) -> Self {
        Self { left: Cell::new(length), was_short: Cell::new(false) }
    }

    /// Room for one text of the maximum length.
    pub(crate) fn of_text() -> Self {
        Self::new(MAX_TEXT)
    }

    /// Takes this length for one text before it is composed; `None` if there is not enough.
    pub(crate) fn take(&self, length: usize) -> Option<()> {
        let left = self.left.get().checked_sub(length).filter(|_| length <= MAX_TEXT);
        match left {
            Some(left) => self.left.set(left),
            None => self.refuse(),
        }
        left.map(|_| ())
    }

    /// Notes that a text was too long to be composed.
    pub(crate) fn refuse(&self) {
        self.was_short.set(true);
    }

    /// Returns whether a text was too long since the last call, and resets this.
    pub(crate) fn was_short(&self) -> bool {
        self.was_short.take()
    }
}
