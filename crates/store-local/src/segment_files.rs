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
    /// The path of the session's segment.
    pub segment: PathBuf,
    /// The segment's length in bytes.
    pub bytes: u64,
    /// The path of the directory of spilled records, even if the directory does not exist.
    pub spill: PathBuf,
    /// Number of spilled records, which wait to be merged.
    pub spilled_records: u64,
    /// The total size of the spill files in bytes.
    pub spilled_bytes: u64,
    /// The latest snapshot. `None` if no snapshot can be used.
    pub snapshot: Option<SnapshotFile>,
}

/// A snapshot of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotFile {
    /// The path of the snapshot's file.
    pub path: PathBuf,
    /// The offset in the segment up to which the snapshot covers it.
    pub offset: u64,
    /// The number of the last record that the snapshot covers.
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
