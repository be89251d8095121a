//! Stores lines that couldn't be written to a statistics log. The lines wait in verger's data
//! directory until the log can be written again. Each batch of lines has its own file, so that
//! processes need no lock. If two processes append the same batch, its lines are in the log twice
//! but count once.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use verger_memory::stats::{StatsLine, render};
use verger_store_local::name_of_path;

use crate::shared_file::FileError;

/// The maximum number of batches that can wait.
const MAX_LOTS: usize = 1000;

/// The file extension of a batch while it is being written.
const PART: &str = "part";

/// The error when lines couldn't be appended to a statistics log.
#[derive(Debug, thiserror::Error)]
pub enum TellError {
    /// The lines are stored and will be counted later.
    #[error("count the use of learnings now; verger counts it later")]
    Later(#[source] FileError),
    /// The lines couldn't be stored and are lost.
    #[error("count the use of learnings")]
    Never(#[source] FileError),
}

/// The directory with the batches of lines that wait for a log.
#[derive(Debug, Clone)]
pub(crate) struct Untold(PathBuf);

impl Untold {
    pub(crate) fn of(data: &Path, log: &Path) -> Self {
        Self(data.join("untold").join(name_of_path(log.as_os_str())))
    }

    pub(crate) fn keep(&self, lines: &[StatsLine]) -> io::Result<()> {
        let Some(first) = lines.first() else { return Ok(()) };
        if self.lots().len() >= MAX_LOTS {
            return Err(io::Error::other("too many entries are waiting already"));
        }
        DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
        let lot = self.0.join(first.id.to_string());
        let part = lot.with_extension(PART);
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
        file.write_all(render(lines).as_bytes())?;
        file.sync_data()?;
        fs::rename(part, lot)
    }

    /// Reads all waiting batches. A batch that can't be read stays in the directory.
    pub(crate) fn take(&self) -> Taken {
        let read = |lot: PathBuf| Some((fs::read_to_string(&lot).ok()?, lot));
        let (texts, lots): (Vec<_>, _) = self.lots().into_iter().filter_map(read).unzip();
        Taken { text: texts.concat(), lots }
    }

    fn lots(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.0) else { return vec![] };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut lots: Vec<_> = paths.filter(|path| path.extension().is_none()).collect();
        lots.sort();
        lots
    }
}

/// The lines of waiting batches, and the files with the batches.
pub(crate) struct Taken {
    pub(crate) text: String,
    lots: Vec<PathBuf>,
}

impl Taken {
    /// Removes the files of the batches. Must be called only when the log has their lines.
    pub(crate) fn remove(self) {
        // If a batch can't be removed, its lines are added again later, but count once.
        self.lots.iter().for_each(|lot| drop(fs::remove_file(lot)));
    }
}
