//! Reads the statistics without reading long logs repeatedly. A table beside the search index
//! stores the totals of earlier log lines, and only newer lines are read.

mod suspects;
mod usage_file;

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use verger_memory::LearningId;
use verger_memory::stats::{StatsEvent, StatsLine, Tally, Usage};

use crate::catalogue::{Fault, Standing, Standings};
use crate::marks::Marks;
use crate::shared_file::Ground;
use crate::stats_log::{StatsLog, StatsReading};
use suspects::KeptSuspects;
pub use suspects::Suspects;
use usage_file::UsageFile;

const TABLE: &str = "usage";

/// The statistics of a project and of a person, read from their logs and the table.
#[derive(Debug)]
pub struct Statistics {
    dir: PathBuf,
    /// The table with the totals of earlier log lines, if there is one.
    table: Option<UsageFile>,
    /// The tally of the log lines that the table doesn't cover. Without a table, the tally of all
    /// lines.
    tail: Tally,
    /// The learnings that lines of the tail archived, restored or superseded.
    moved: Vec<LearningId>,
    /// The positions up to which the logs were read.
    marks: Marks,
    /// The learnings that may be wrong because code changed.
    suspects: KeptSuspects,
    /// Whether the logs have lines that were not read.
    pub is_behind: bool,
    /// Parts of the logs that couldn't be read.
    pub faults: Vec<Fault>,
}

impl Statistics {
    /// Reads the table in `dir`, and the log lines that the table doesn't cover.
    pub fn read(dir: &Path, ground: &Ground) -> Self {
        Self::beyond(UsageFile::open(&dir.join(TABLE)), dir, ground)
    }

    /// Like [`Self::read`], but reads at most `bytes` bytes of the logs. If the logs have more new
    /// bytes, reads only the table, although it is out of date.
    pub fn read_at_most(dir: &Path, ground: &Ground, bytes: u64) -> Self {
        let table = UsageFile::open(&dir.join(TABLE));
        let marks = table.as_ref().map(|table| table.marks.clone()).unwrap_or_default();
        if unread(ground, &marks) <= bytes {
            return Self::beyond(table, dir, ground);
        }
        Self { table, marks, is_behind: true, ..Self::empty(dir) }
    }

    fn beyond(table: Option<UsageFile>, dir: &Path, ground: &Ground) -> Self {
        let beyond = table.as_ref().and_then(|table| {
            let mut read = Self::empty(dir);
            read.take(ground, &table.marks).then_some(read)
        });
        match beyond {
            Some(beyond) => Self { table, ..beyond },
            None => Self::read_whole(dir, ground),
        }
    }

    /// Reads all log lines, without the table.
    pub fn read_whole(dir: &Path, ground: &Ground) -> Self {
        let mut read = Self::empty(dir);
        read.take(ground, &Marks::default());
        read
    }

    /// Saves the totals in the table, so that these log lines needn't be read again.
    pub fn keep(&self) -> io::Result<()> {
        // Totals added up from parts can differ slightly from totals over all lines. So totals are
        // saved only after a read without a table.
        if self.table.is_some() {
            return Ok(());
        }
        DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
        UsageFile::write(&self.dir.join(TABLE), &self.marks, self.tail.usages())
    }

    /// The usage of a learning: the sum of the table's totals and the tail.
    pub fn usage(&self, learning: &LearningId) -> Usage {
        let known = self.table.as_ref().and_then(|table| table.get(learning));
        known.unwrap_or_default().with(self.tail.usage(learning))
    }

    fn empty(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            table: None,
            tail: Tally::default(),
            moved: vec![],
            marks: Marks::default(),
            suspects: KeptSuspects::of(dir),
            is_behind: false,
            faults: vec![],
        }
    }

    /// Reads the log lines after the marks `known`. Returns whether the marks still match the logs.
    fn take(&mut self, ground: &Ground, known: &Marks) -> bool {
        let mut is_known = true;
        for log in logs(ground) {
            let path = log.file().path();
            let mark = known.of(&path);
            let (lines, mark) = match log.read(mark) {
                Ok(StatsReading::Missing) => {
                    is_known &= mark.is_none();
                    continue;
                }
                Ok(StatsReading::Same) => (None, mark.copied()),
                Ok(StatsReading::Appended(log, mark)) => (Some(log), Some(mark)),
                Ok(StatsReading::Whole(log, new)) => {
                    is_known &= mark.is_none();
                    (Some(log), Some(new))
                }
                Err(error) => {
                    self.faults.push(Fault::File(error));
                    continue;
                }
            };
            self.marks.0.extend(mark.map(|mark| (path.clone(), mark)));
            if let Some(log) = lines {
                log.lines.iter().for_each(|line| self.add(line));
                let problems = log.problems.into_iter();
                let path = path.clone();
                self.faults
                    .extend(problems.map(|problem| Fault::Lines { path: path.clone(), problem }));
            }
        }
        is_known
    }

    fn add(&mut self, line: &StatsLine) {
        self.tail.add(line);
        match &line.event {
            StatsEvent::Archived { learning, .. }
            | StatsEvent::Restored { learning, .. }
            | StatsEvent::Superseded { learning, .. } => self.moved.push(learning.clone()),
            _ => {}
        }
    }
}

/// The number of bytes in the logs after these marks.
fn unread(ground: &Ground, marks: &Marks) -> u64 {
    logs(ground).iter().map(|log| marks.unread(&log.file().path())).sum()
}

fn logs(ground: &Ground) -> [StatsLog; 2] {
    [StatsLog::of_project(ground), StatsLog::personal(ground)]
}

impl Standings for Statistics {
    fn of(&self, learning: &LearningId) -> Standing {
        let usage = self.usage(learning);
        if usage.superseded.is_some() {
            Standing::Superseded
        } else if usage.is_archived() {
            Standing::Archived
        } else if self.suspects.whole().reason(learning).is_some() {
            Standing::Suspect
        } else {
            Standing::Active
        }
    }

    fn changed_since(&self, known: &[u8]) -> Option<Vec<LearningId>> {
        let (sum, known) = known.split_first_chunk()?;
        let suspects = self.suspects.moved_since(u32::from_le_bytes(*sum))?;
        let known = Marks::read(known)?;
        let base = self.table.as_ref().map(|table| table.marks.clone()).unwrap_or_default();
        (self.marks.reach(&known) && known.reach(&base))
            .then(|| self.moved.iter().chain(suspects).cloned().collect())
    }

    /// The number of bytes to read from the file of suspects. The logs were already read.
    fn unread_since(&self, known: &[u8]) -> u64 {
        let sum = known.first_chunk().map(|sum| u32::from_le_bytes(*sum));
        sum.map_or(0, |sum| self.suspects.unread_since(sum))
    }

    fn state(&self) -> Vec<u8> {
        [&self.suspects.sum.to_le_bytes()[..], &self.marks.write()].concat()
    }
}
