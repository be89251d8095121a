//! Lines that a log of statistics could not take: they wait in our data directory until it can be
//! written again. Each lot is a file of its own, so that nobody waits for anybody; what two take out
//! at once stands in the log twice and counts once.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use verger_memory::stats::{StatsLine, render};
use verger_store_local::name_of_path;

use crate::shared_file::FileError;

/// As many lots wait at most.
const MAX_LOTS: usize = 1000;

/// How the name of a lot ends while it is written.
const PART: &str = "part";

/// The statistics could not be told something.
#[derive(Debug, thiserror::Error)]
pub enum TellError {
    /// It waits.
    #[error("count this now; it waits and is counted later")]
    Later(#[source] FileError),
    /// It could not even be made to wait.
    #[error("count this")]
    Never(#[source] FileError),
}

/// The lots that wait for one log.
#[derive(Debug, Clone)]
pub(crate) struct Untold(PathBuf);

impl Untold {
    pub(crate) fn of(data: &Path, log: &Path) -> Self {
        Self(data.join("untold").join(name_of_path(log.as_os_str())))
    }

    pub(crate) fn keep(&self, lines: &[StatsLine]) -> io::Result<()> {
        let Some(first) = lines.first() else { return Ok(()) };
        if self.lots().len() >= MAX_LOTS {
            return Err(io::Error::other("too much waits already"));
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

    /// What waits. A lot that cannot be read goes on waiting.
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

/// What was taken out, as text for the log.
pub(crate) struct Taken {
    pub(crate) text: String,
    lots: Vec<PathBuf>,
}

impl Taken {
    /// Once the log has them.
    pub(crate) fn remove(self) {
        // One that stays is told again, and counts once.
        self.lots.iter().for_each(|lot| drop(fs::remove_file(lot)));
    }
}
