//! Limits the total length of texts that are composed from parts of a command line. Such texts may
//! be much longer than the command line.

use std::cell::Cell;

use crate::reader::MAX_TEXT;

/// The remaining length for composed texts.
#[derive(Debug)]
pub(crate) struct Room {
    left: Cell<usize>,
    was_short: Cell<bool>,
}

impl Room {
    pub(crate) fn new(length: usize) -> Self {
        Self { left: Cell::new(length), was_short: Cell::new(false) }
    }

    /// A room that is large enough for one text of the maximum length.
    pub(crate) fn of_text() -> Self {
        Self::new(MAX_TEXT)
    }

    /// Reserves this length for a text before it is composed. `None` if the remaining length is too
    /// small.
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

    /// Returns whether a text was too long since the last call of this method, and resets the
    /// answer.
    pub(crate) fn was_short(&self) -> bool {
        self.was_short.take()
    }
}
