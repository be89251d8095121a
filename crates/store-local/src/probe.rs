//! Callbacks at the points of a turn. Tests use them to observe a turn or to end the process there.

/// A point in the course of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The turn has the lock and has read nothing yet.
    Locked,
    /// The state is folded, and the caller decides what to append.
    Folded,
    /// All records are ready to be appended in one write.
    BeforeWrite,
    /// The records are in the segment. From here on, they may be acknowledged.
    Written,
    /// The spill files that were merged are removed.
    SpillRemoved,
    /// The durable records are in their project's segment.
    Settled,
    /// The new snapshot is written, but the old snapshot still has its name.
    SnapshotWritten,
    /// The new snapshot has replaced the old one.
    SnapshotReplaced,
}

/// A callback for the points of a turn.
pub trait Probe {
    /// Called when the turn reaches `point`.
    fn reached(&self, point: Point);
}

/// The probe that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    fn reached(&self, _: Point) {}
}
