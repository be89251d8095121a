//! A log with a snapshot, possibly a previous snapshot, and a tail after them.

use std::fs;
use std::path::PathBuf;

use verger_event::{Draft, SessionKey};
use verger_store::conformance::key;

use crate::sandbox::{Sandbox, calls};

pub(crate) struct Snapshotted {
    pub(crate) log: Sandbox,
    pub(crate) key: SessionKey,
    pub(crate) drafts: Vec<Draft>,
    pub(crate) current: PathBuf,
    /// The path of the previous snapshot. The file doesn't exist if only the current one is kept.
    pub(crate) previous: PathBuf,
}

impl Snapshotted {
    /// A log whose snapshot's file name ends in `ending`. `fold` must fold the session so that this
    /// snapshot is saved.
    pub(crate) fn new(
        drafts: impl FnOnce(&SessionKey) -> Vec<Draft>,
        ending: &str,
        fold: impl Fn(&Sandbox, &SessionKey),
    ) -> Self {
        let (log, key) = (Sandbox::new(), key("s"));
        let drafts = drafts(&key);
        for range in [0..16, 16..32, 32..drafts.len()] {
            log.commit(&key, &drafts[range]);
            fold(&log, &key);
        }
        let current = log.file(ending);
        let previous = PathBuf::from(format!("{}.1", current.display()));
        Self { log, key, drafts, current, previous }
    }

    /// For each snapshot, the number of the last record that it covers. The current snapshot comes
    /// first.
    pub(crate) fn heads(&self) -> Vec<u64> {
        let generations = [&self.current, &self.previous];
        generations.into_iter().filter(|path| path.exists()).map(head).collect()
    }
}

/// The number of the last record that a snapshot covers.
pub(crate) fn head(path: &PathBuf) -> u64 {
    let bytes = fs::read(path).unwrap();
    if let Ok(readable) = serde_json::from_slice::<serde_json::Value>(&bytes) {
        return readable["head"]["seq"].as_u64().unwrap();
    }
    // The number comes after the versions of the format and the fold, and the offset.
    let ((_, _, _, head), _): ((u32, u32, u64, u64), _) =
        postcard::take_from_bytes(&bytes).unwrap();
    head
}

/// Checks logs whose segment of 35 records was cut: after both snapshots, between them, before
/// both, and in the middle of a record.
pub(crate) fn each_shortened(new: impl Fn() -> Snapshotted, check: impl Fn(&Snapshotted, &str)) {
    let bytes = fs::read(new().log.segment()).unwrap();
    let ends: Vec<_> = (1..).zip(&bytes).filter(|(_, b)| **b == b'\n').map(|(n, _)| n).collect();
    for end in [ends[33], ends[31], ends[31] - 1, ends[30], ends[20] + 9, ends[15], ends[3], 0] {
        let subject = new();
        let bytes = fs::read(subject.log.segment()).unwrap();
        fs::write(subject.log.segment(), &bytes[..end]).unwrap();
        check(&subject, &format!("cut to {end}"));
    }
}

/// Checks logs whose segment was replaced by another one with fewer, as many, or more records.
pub(crate) fn each_replaced(new: impl Fn() -> Snapshotted, check: impl Fn(&Snapshotted, &str)) {
    for count in [1, 35, 36, 80] {
        let (subject, other) = (new(), Sandbox::new());
        other.commit(&subject.key, &calls(&subject.key, count));
        fs::copy(other.segment(), subject.log.segment()).unwrap();
        check(&subject, &format!("{count} other records"));
    }
}
