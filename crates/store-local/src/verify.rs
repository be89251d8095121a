//! Checking a segment: every line must be intact, numbered and chained, and every blob present.

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
    /// Intact records.
    pub records: u64,
    /// Lines of a version that this program does not read.
    pub foreign: u64,
    /// Records that wait to be merged.
    pub spilled: u64,
    /// The faults, in order.
    pub faults: Vec<Fault>,
}

/// Something wrong with a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A line is no record.
    BadLine {
        /// Where it begins, in the segment or, for lines that come last, in a spill file.
        offset: u64,
        /// Why.
        damage: Damage,
    },
    /// A line of a spill file is no record. The file is kept.
    BadSpill {
        /// Why.
        damage: Damage,
    },
    /// A record does not name the line before it: something was removed, changed or put in.
    BrokenChain {
        /// The record.
        seq: u64,
    },
    /// A record's number does not follow the one before it.
    Misnumbered {
        /// The record.
        seq: u64,
        /// The expected number.
        expected: u64,
    },
    /// A payload is missing or was changed.
    BadBlob {
        /// The record.
        seq: u64,
        /// The blob.
        sha256: String,
    },
    /// The segment ends before a record that was in it.
    Shortened {
        /// The last record that is known to have been there.
        expected_seq: u64,
    },
    /// The segment ends earlier than its lock's file says.
    Cut {
        /// Its length in bytes when a call last wrote to it.
        was: u64,
        /// Its length now.
        is: u64,
    },
    /// It cannot be read, or not to its end.
    Unreadable {
        /// The attempted action and its error.
        problem: String,
    },
}

impl<P: Probe> LocalStore<P> {
    /// Checks a segment, byte by byte. Takes the lock if it can, so that a line that is being
    /// written is not taken for a torn one.
    pub fn verify(&self, segment: &SegmentName) -> Result<SegmentReport, StoreError> {
        self.verify_expecting(segment, 0)
    }

    /// The same, for a segment that is known to have had this many records.
    pub fn verify_expecting(
        &self,
        segment: &SegmentName,
        records: u64,
    ) -> Result<SegmentReport, StoreError> {
        let chain = self.chain(segment)?;
        // A log that cannot be written to, not even its lock, can still be checked.
        let lock = chain.lock(self.lock_wait);
        let note = lock.as_ref().ok().and_then(Option::as_ref).map(LockNote::read);
        let mut report = SegmentReport { records: 0, foreign: 0, spilled: 0, faults: vec![] };
        // Read before the segment: the segment held the snapshot's records when the snapshot was
        // written.
        let heads = match segment {
            SegmentName::Session(stem) => {
                let heads = snapshot::heads(&self.root, &SnapshotName::of_session(stem));
                // A segment can be checked without them, too.
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

    /// Returns the number of the last record.
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

/// The last record that a snapshot knows and that is not in the segment any more. Where other
/// faults were found, they cover it: the line may only be damaged.
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
