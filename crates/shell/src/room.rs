//! How much text may be put together from parts of a line, which may be much longer than the line.

use std::cell::Cell;

use crate::reader::MAX_TEXT;

/// What is left of it.
#[derive(Debug)]
pub(crate) struct Room {
    left: Cell<usize>,
    was_short: Cell<bool>,
}

impl Room {
    pub(crate) fn new(length: usize) -> Self {
        Self { left: Cell::new(length), was_short: Cell::new(false) }
    }

    /// For the longest text that is read.
    pub(crate) fn of_text() -> Self {
        Self::new(MAX_TEXT)
    }

    /// Takes this much for one text, before it is made; nothing when there is not as much.
    pub(crate) fn take(&self, length: usize) -> Option<()> {
        let left = self.left.get().checked_sub(length).filter(|_| length <= MAX_TEXT);
        match left {
            Some(left) => self.left.set(left),
            None => self.refuse(),
        }
        left.map(|_| ())
    }

    /// Notes that something is too long to be made.
    pub(crate) fn refuse(&self) {
        self.was_short.set(true);
    }

    /// Whether there was not enough since this was last asked.
    pub(crate) fn was_short(&self) -> bool {
        self.was_short.take()
    }
}
