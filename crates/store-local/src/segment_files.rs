//! The paths and sizes of a session's files, for maintenance of the log.

use std::path::PathBuf;

use verger_store::StoreError;

use crate::probe::Probe;
use crate::snapshot;
use crate::snapshot_name::SnapshotName;
use crate::store::LocalStore;

/// The files of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentFiles {
    /// The segment.
    pub segment: PathBuf,
    /// How long it is.
    pub bytes: u64,
    /// The directory of what waits to be merged, whether it is there or not.
    pub spill: PathBuf,
    /// How many records wait to be merged.
    pub spilled_records: u64,
    /// The total size of the files that hold them.
    pub spilled_bytes: u64,
    /// The fold that was stored last, if one can be used.
    pub snapshot: Option<SnapshotFile>,
}

/// A stored fold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotFile {
    /// Its file.
    pub path: PathBuf,
    /// The first byte of the segment that it does not know.
    pub offset: u64,
    /// The last record that it knows.
    pub seq: u64,
}

impl<P: Probe> LocalStore<P> {
    /// Finds the files of a session.
    pub fn files_of(&self, stem: &str) -> Result<SegmentFiles, StoreError> {
        let chain = self.session_chain(stem)?;
        let spilled = match chain.existing()? {
            Some(file) => chain.unmerged(&file, chain.size()?)?,
            None => chain.spilled(),
        };
        let heads = snapshot::heads(&self.root, &SnapshotName::of_session(stem))?;
        let snapshot = heads.into_iter().next().map(|(path, head)| SnapshotFile {
            path,
            offset: head.offset,
            seq: head.seq,
        });
        Ok(SegmentFiles {
            segment: chain.path(),
            bytes: chain.size()?,
            spill: chain.spill_path(),
            spilled_records: spilled.records.len() as u64,
            spilled_bytes: spilled.bytes,
            snapshot,
        })
    }
}
