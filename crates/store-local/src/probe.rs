//! Hooks at the moments of a turn, where tests observe it or end it.

/// A moment of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The lock is held; nothing was read yet.
    Locked,
    /// The state is folded; the caller decides next.
    Folded,
    /// All records are ready for the one write.
    BeforeWrite,
    /// The records are in the segment. They may be acknowledged from here on.
    Written,
    /// Merged spill files are removed.
    SpillRemoved,
    /// Durable records are in the project's segment.
    Settled,
    /// The new snapshot is written; the old one still has its name.
    SnapshotWritten,
    /// The new snapshot has replaced the old one.
    SnapshotReplaced,
}

/// Receives every point of a turn.
pub trait Probe {
    /// The turn reached this point.
    fn reached(&self, point: Point);
}

/// The probe that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    fn reached(&self, _: Point) {}
}
