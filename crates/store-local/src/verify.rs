//! Checks a segment: every line must be intact, numbered and chained, and every blob that a line
//! refers to must exist.

use std::path::PathBuf;

use verger_event::stored::{Body, Damage, LineHash};
use verger_store::{Entry, SegmentName, StoreError, with_causes};

use crate::chain::{Chain, Head, Scanned};
use crate::lock_note::LockNote;
use crate::probe::Probe;
use crate::snapshot_name::SnapshotName;
use crate::store::LocalStore;
use crate::{blob, snapshot};

/// The result of checking a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentReport {
    /// Number of intact records.
    pub records: u64,
    /// Number of lines of a version that this program doesn't know.
    pub foreign: u64,
    /// Number of spilled records, which wait to be merged.
    pub spilled: u64,
    /// The faults that were found, in order.
    pub faults: Vec<Fault>,
}

/// A fault in a segment or its spill files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A line of the segment is not a record.
    BadLine {
        /// The offset of the line in the segment.
        offset: u64,
        /// The kind of damage of the line.
        damage: Damage,
    },
    /// A line of a spill file is not a record. The spill file is kept.
    BadSpill {
        /// The kind of damage of the line.
        damage: Damage,
    },
    /// A record does not refer to the line before it: a line was removed, changed or inserted.
    BrokenChain {
        /// The sequence number of the record.
        seq: u64,
    },
    /// A record's number does not follow the number of the record before it.
    Misnumbered {
        /// The sequence number of the record.
        seq: u64,
        /// The sequence number that the record should have.
        expected: u64,
    },
    /// The blob with a record's payload is missing or was changed.
    BadBlob {
        /// The sequence number of the record.
        seq: u64,
        /// The hash that is the blob's name.
        sha256: String,
    },
    /// The segment ends before a record that it once had.
    Shortened {
        /// The sequence number of the last record that the segment once had.
        expected_seq: u64,
    },
    /// The segment is shorter than its lock file's note says.
    Cut {
        /// The segment's length in bytes when a call last wrote to it.
        was: u64,
        /// The segment's current length in bytes.
        is: u64,
    },
    /// The segment can't be read completely.
    Unreadable {
        /// The action that failed, and its error.
        problem: String,
    },
}

impl<P: Probe> LocalStore<P> {
    /// Checks every byte of a segment. Takes the lock if it can, so that a line that is being
    /// written isn't reported as torn.
    pub fn verify(&self, segment: &SegmentName) -> Result<SegmentReport, StoreError> {
        self.verify_expecting(segment, 0)
    }

    /// Like [`Self::verify`], but the segment is known to have had at least `expected` records.
    pub fn verify_expecting(
        &self,
        segment: &SegmentName,
        records: u64,
    ) -> Result<SegmentReport, StoreError> {
        let chain = self.chain(segment)?;
        // A log can be checked even if nothing in it can be written, not even its lock.
        let lock = chain.lock(self.lock_wait);
        let note = lock.as_ref().ok().and_then(Option::as_ref).map(LockNote::read);
        let mut report = SegmentReport { records: 0, foreign: 0, spilled: 0, faults: vec![] };
        // Snapshots are read before the segment. So every record that they cover was in the segment
        // before it is checked.
        let heads = match segment {
            SegmentName::Session(stem) => {
                let heads = snapshot::heads(&self.root, &SnapshotName::of_session(stem));
                // The segment is checked even if the snapshots can't be read.
                heads.unwrap_or_default()
            }
            SegmentName::Project(_) => vec![],
        };
        match self.check(&chain, &mut report) {
            Ok(last_seq) => {
                let known = last_seq.saturating_add(report.spilled);
                let counted = Some(records).filter(|records| *records > known);
                let lost = lost_seq(&chain, &heads, &report.faults)?;
                let shortened = counted.max(lost);
                report
                    .faults
                    .extend(shortened.map(|expected_seq| Fault::Shortened { expected_seq }));
                let (size, was) = (chain.size()?, note.map_or(0, |note| note.end));
                if shortened.is_none() && size < was {
                    report.faults.push(Fault::Cut { was, is: size });
                }
            }
            Err(error) => report.faults.push(Fault::Unreadable { problem: with_causes(&error) }),
        }
        Ok(report)
    }

    /// Checks the segment's lines and adds to the report. Returns the sequence number of the last
    /// record.
    fn check(&self, chain: &Chain<'_>, report: &mut SegmentReport) -> Result<u64, StoreError> {
        let mut spilled = chain.spilled_and_set_aside();
        let file = chain.existing()?;
        let mut check = |scanned: Scanned<'_>| {
            match scanned {
                Scanned::Record { before, line } => {
                    report.records += 1;
                    let (seq, expected) = (line.seq(), before.next_seq());
                    if seq != expected {
                        report.faults.push(Fault::Misnumbered { seq, expected });
                    }
                    let prev = before.last.as_ref().map(|last| &last.hash).map(LineHash::as_str);
                    if line.prev() != prev {
                        report.faults.push(Fault::BrokenChain { seq });
                    }
                    if let Body::Blob(reference) = line.body()
                        && blob::get(&self.root, &reference).is_none()
                    {
                        report.faults.push(Fault::BadBlob { seq, sha256: reference.sha256 });
                    }
                    if !spilled.is_empty() {
                        spilled.meet(before.offset, &chain.resolve(*line));
                    }
                }
                Scanned::Foreign { .. } => report.foreign += 1,
                Scanned::Bad { offset, damage } => {
                    report.faults.push(Fault::BadLine { offset, damage });
                }
            }
            Ok(())
        };
        let mut head = Head::default();
        if let Some(file) = file {
            chain.scan(&file, &mut head, &mut check)?;
        }
        spilled.leave_out_met();
        let unreadable = spilled.unreadable.iter().map(|error| with_causes(error));
        report.faults.extend(unreadable.map(|problem| Fault::Unreadable { problem }));
        report.spilled = spilled.records.len() as u64;
        for entry in spilled.unread {
            match entry {
                Entry::Bad { damage, .. } => report.faults.push(Fault::BadSpill { damage }),
                Entry::Foreign { .. } => report.foreign += 1,
                Entry::Record(_) | Entry::Spilled(_) => {}
            }
        }
        Ok(head.seq)
    }
}

/// The number of the last record that a snapshot covers and the segment has lost. A record is lost
/// if the segment ends before it. Without other faults, it is also lost if it is not at its
/// position.
fn lost_seq(
    chain: &Chain<'_>,
    heads: &[(PathBuf, Head)],
    found: &[Fault],
) -> Result<Option<u64>, StoreError> {
    let (size, file) = (chain.size()?, chain.existing()?);
    let is_in = |head: &Head| file.as_ref().is_some_and(|file| head.is_in(file));
    let is_lost = |head: &&Head| head.offset > size || (found.is_empty() && !is_in(head));
    Ok(heads.iter().map(|(_, head)| head).filter(is_lost).map(|head| head.seq).max())
}
