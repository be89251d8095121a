//! Damages logs with flipped bytes, cut ends and foreign lines. Every intact record must still be
//! readable, and the next record can be written.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use verger_engine::State;
use verger_event::SessionKey;
use verger_store::{Entry, Options, ReadLog, Receipt, Sessions, StoreError, Turn};
use verger_store_local::LocalStore;

use crate::bench::sample;
use crate::failure::Failure;
use crate::soak::Soak;
use crate::soak::outcome::Outcome;
use crate::soak::seeded::Seeded;

const SESSION: &str = "damaged";
/// The number of records in the log. It is enough for a snapshot with some records after it.
const RECORDS: usize = 20;
/// The number of records, counted from the end, that may be damaged.
const LAST: usize = 3;

/// An intact log, of which damaged copies are made.
struct Template {
    folder: tempfile::TempDir,
    key: SessionKey,
    segment: PathBuf,
    bytes: Vec<u8>,
    /// The bytes of each line, with the id of its record.
    lines: Vec<(Vec<u8>, String)>,
    snapshots: Vec<(PathBuf, Vec<u8>)>,
}

pub(crate) fn corruption(soak: &Soak) -> Result<Outcome, Failure> {
    let what = "A log whose last records are cut at every offset, or have bytes flipped, line ends of another system, runs of NUL or \
                foreign lines among them; with and without a snapshot.";
    let mut outcome = Outcome::new("corruption", what);
    let template = Template::new()?;
    let cut_from = template.offset_of_last(LAST);
    let cuts = template.bytes.len() - cut_from;
    let step = (2 * cuts).div_ceil(soak.extent.damaged_logs).max(1);
    let mut cases = 0;
    let (mut panics, mut intact, mut unread) = (0, 0, 0);
    let mut seeded = Seeded::new(soak.seed);
    while cases < soak.extent.damaged_logs {
        let cut = cut_from + cases * step;
        let damaged = if cut < template.bytes.len() {
            template.bytes[..cut].to_vec()
        } else {
            template.damage(&mut seeded)
        };
        let keeps_snapshots = cases % 2 == 0;
        template.put(&damaged, keeps_snapshots)?;
        let expected = template.intact_in(&damaged);
        intact += expected.len();
        let looked = catch_unwind(AssertUnwindSafe(|| template.look(keeps_snapshots)));
        match looked {
            Err(_) => {
                panics += 1;
                outcome.fault(format!("case {cases}: a panic"));
            }
            Ok(Err(error)) => outcome.fault(format!("case {cases}: {error}")),
            Ok(Ok(seen)) => {
                let missing = expected.iter().filter(|id| !seen.before.contains(id)).count();
                unread += missing;
                outcome.expect(missing == 0 && seen.before.len() == expected.len(), || {
                    format!("case {cases}: {} of {} records", seen.before.len(), expected.len())
                });
                let is_appended = seen.after.len() == seen.before.len() + 1
                    && seen.after.starts_with(&seen.before);
                outcome.expect(is_appended, || format!("case {cases}: nothing could be appended"));
                outcome.expect(seen.folds_agree, || format!("case {cases}: two states"));
            }
        }
        cases += 1;
    }
    outcome.fact("damaged logs", cases);
    outcome.fact("cut at an offset of the last records", cuts.div_ceil(step));
    outcome.fact("intact records in them", intact);
    outcome.fact("intact records not read", unread);
    outcome.fact("panics", panics);
    Ok(outcome)
}

/// The ids of the records that a reader finds: before one more record is appended, and after that.
struct Seen {
    before: Vec<String>,
    after: Vec<String>,
    folds_agree: bool,
}

impl Template {
    fn new() -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(Failure::Pipe)?;
        let data = folder.path().join("data");
        let store = LocalStore::open(&data, Options::default())?;
        let key = sample::key(SESSION).ok_or(Failure::NoSuchAgent)?;
        for number in 0..RECORDS {
            sample::fill(&store, &key, number..number + 1)?;
        }
        let stem = key.file_stem();
        let segment = find(&data.join("log"), &format!("{stem}.jsonl"))?;
        let bytes = read(&segment)?;
        let texts = bytes.split(|byte| *byte == b'\n').filter(|text| !text.is_empty());
        let ids = (0..).map(|number| sample::draft(&key, number, sample::event(number)).id);
        let lines = texts.zip(ids).map(|(text, id)| (text.to_vec(), id.to_string())).collect();
        let mut snapshots = Vec::new();
        for name in [format!("{stem}.json"), format!("{stem}.json.1")] {
            let path = data.join("sessions").join(name);
            if let Ok(bytes) = fs::read(&path) {
                snapshots.push((path, bytes));
            }
        }
        Ok(Self { folder, key, segment, bytes, lines, snapshots })
    }

    fn offset_of_last(&self, count: usize) -> usize {
        let kept = &self.lines[..self.lines.len() - count];
        kept.iter().map(|(text, _)| text.len() + 1).sum()
    }

    /// A copy of the segment's bytes with one to four random changes near the end.
    fn damage(&self, seeded: &mut Seeded) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for _ in 0..=seeded.index(4) {
            let from = self.offset_of_last(LAST).min(bytes.len());
            let at = from + seeded.index(bytes.len() - from + 1);
            match seeded.index(6) {
                0 | 1 => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << seeded.index(8);
                    }
                }
                2 => bytes.truncate(at),
                3 => {
                    let end = (at + 1 + seeded.index(512)).min(bytes.len());
                    bytes[at..end].fill(0);
                }
                4 => {
                    let garbage: Vec<u8> =
                        (0..=seeded.index(200)).map(|_| seeded.next().to_le_bytes()[0]).collect();
                    bytes.splice(at..at, garbage);
                }
                _ => {
                    let rest: Vec<u8> = bytes.split_off(at);
                    for byte in rest {
                        if byte == b'\n' {
                            bytes.push(b'\r');
                        }
                        bytes.push(byte);
                    }
                }
            }
        }
        bytes
    }

    fn put(&self, bytes: &[u8], keeps_snapshots: bool) -> Result<(), Failure> {
        let write = |path: &Path, bytes: &[u8]| {
            fs::write(path, bytes)
                .map_err(|source| Failure::Write { path: path.to_owned(), source })
        };
        write(&self.segment, bytes)?;
        for (path, bytes) in &self.snapshots {
            if keeps_snapshots {
                write(path, bytes)?;
            } else if path.exists() {
                fs::remove_file(path)
                    .map_err(|source| Failure::Write { path: path.clone(), source })?;
            }
        }
        Ok(())
    }

    /// The ids of the records whose lines are unchanged in these bytes.
    fn intact_in(&self, bytes: &[u8]) -> Vec<String> {
        let texts = bytes.split(|byte| *byte == b'\n');
        let id = |text: &[u8]| self.lines.iter().find(|(known, _)| known == text);
        texts.filter_map(id).map(|(_, id)| id.clone()).collect()
    }

    fn look(&self, keeps_snapshots: bool) -> Result<Seen, StoreError> {
        let store = LocalStore::open(&self.folder.path().join("data"), Options::default())?;
        let before = self.ids(&store)?;
        let draft = sample::draft(&self.key, RECORDS, sample::event(RECORDS));
        let receipt = store.open::<State>(&self.key)?.commit(vec![draft])?;
        let stem = self.key.file_stem();
        // A snapshot from before the damage has records that the damaged log lacks, so the folds
        // may differ.
        let folds_agree =
            keeps_snapshots || store.folded::<State>(&stem)? == store.replay::<State>(&stem)?;
        let mut after = self.ids(&store)?;
        if !matches!(receipt, Receipt::Logged { .. }) {
            after.clear();
        }
        Ok(Seen { before, after, folds_agree })
    }

    fn ids(&self, store: &LocalStore) -> Result<Vec<String>, StoreError> {
        let mut ids = Vec::new();
        store.read(&self.key, &mut |entry| {
            if let Entry::Record(record) = entry {
                ids.push(record.draft.id.to_string());
            }
        })?;
        Ok(ids)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|source| Failure::Read { path: path.to_owned(), source })
}

/// Finds a file of the log by its name. The log distributes its segments over several folders.
fn find(log: &Path, name: &str) -> Result<PathBuf, Failure> {
    let unreadable = |source| Failure::Read { path: log.to_owned(), source };
    for entry in fs::read_dir(log).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path().join(name);
        if path.exists() {
            return Ok(path);
        }
    }
    Err(Failure::NotMeasured { line: format!("no segment {name}") })
}
