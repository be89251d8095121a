//! The log on disk: segments, locks, spill, blobs, snapshots and the derived index.
