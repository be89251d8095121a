//! Errors of background upkeep. They are saved beside the index until a session starts and
//! records them in its log, where `verger status` and `verger doctor` find them.

use std::fs;
use std::path::{Path, PathBuf};

use verger_event::tamed;

use crate::bounded_file::{read_beyond, write};

const MAX_BYTES: usize = 1000;

/// The file that contains the errors.
pub(super) struct Trouble(PathBuf);

impl Trouble {
    /// The file of the project whose index is in `dir`.
    pub(super) fn of(dir: &Path) -> Self {
        Self(dir.join("upkeep-trouble"))
    }

    /// Saves an error. A failure to save it is ignored, because there is no other place to report
    /// to.
    pub(super) fn keep(&self, says: &str) {
        drop(write(&self.0, &says.as_bytes()[..says.floor_char_boundary(MAX_BYTES)]));
    }

    /// Reads and removes the saved errors; a second call returns none.
    pub(super) fn take(&self) -> Option<String> {
        let bytes = read_beyond(MAX_BYTES, &self.0).ok()??;
        fs::remove_file(&self.0).ok()?;
        Some(tamed(&String::from_utf8_lossy(&bytes)))
    }
}
