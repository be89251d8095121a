//! Hooks at the moments of a turn, where tests observe it or end it.

/// A moment of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The lock is held; nothing was read yet.
    Locked,
    /// The state is folded; the caller decides.
    Folded,
    /// Everything is ready for the one write.
    BeforeWrite,
    /// The records are in the segment: from here on they may be acknowledged.
    Written,
    /// Merged spill files are gone.
    SpillRemoved,
    /// Durable records are in the project's segment.
    Settled,
    /// The new snapshot is written; the old one is still in its place.
    SnapshotWritten,
    /// The new snapshot is in place.
    SnapshotReplaced,
}

/// Receives every moment of a turn.
pub trait Probe {
    /// The turn reached this point.
    fn reached(&self, point: Point);
}

/// The probe that ignores all moments.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    fn reached(&self, _: Point) {}
}
