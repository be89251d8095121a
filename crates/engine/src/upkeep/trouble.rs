//! Faults of background upkeep. They are kept beside the index until a session starts, whose log
//! then has them for `verger status` and `verger doctor`.

use std::fs;
use std::path::{Path, PathBuf};

use verger_event::tamed;

use crate::bounded_file::{read_beyond, write};

const MAX_BYTES: usize = 1000;

/// The file that holds the faults.
pub(super) struct Trouble(PathBuf);

impl Trouble {
    /// The file of the project whose index is in `dir`.
    pub(super) fn of(dir: &Path) -> Self {
        Self(dir.join("upkeep-trouble"))
    }

    /// Keeps a fault. A failure is ignored, because nothing is left to report it to.
    pub(super) fn keep(&self, says: &str) {
        drop(write(&self.0, &says.as_bytes()[..says.floor_char_boundary(MAX_BYTES)]));
    }

    /// Takes the kept faults; a second call returns none.
    pub(super) fn take(&self) -> Option<String> {
        let bytes = read_beyond(MAX_BYTES, &self.0).ok()??;
        fs::remove_file(&self.0).ok()?;
        Some(tamed(&String::from_utf8_lossy(&bytes)))
    }
}
