//! Stamps: files beside the index that store when some work was last done.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use verger_event::Timestamp;

use crate::bounded_file::{read_beyond, write};

const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;
const MINUTE_MILLIS: u64 = 60 * 1000;
/// Maximum number of digits of a timestamp.
const MAX_BYTES: usize = 20;

/// A file that contains a timestamp.
pub(crate) struct Stamp(PathBuf);

impl Stamp {
    /// When the learnings were last checked.
    pub(super) fn looked_through(dir: &Path) -> Self {
        Self(dir.join("looked-through"))
    }

    /// When a background process was last started for upkeep.
    pub(super) fn started(dir: &Path) -> Self {
        Self(dir.join("upkeep-started"))
    }

    /// When a background process was last started for abandoned sessions.
    pub(super) fn looked_for_left(dir: &Path) -> Self {
        Self(dir.join("looked-for"))
    }

    /// Removes the stamp, so that the work counts as never done.
    pub(super) fn forget(&self) -> io::Result<()> {
        std::fs::remove_file(&self.0)
    }

    /// Whether the work was done on this calendar day, in UTC.
    pub(super) fn is_of_today(&self, now: Timestamp) -> bool {
        let day = |at: Timestamp| at.as_millis() / DAY_MILLIS;
        self.last().is_some_and(|last| day(last) == day(now))
    }

    /// Whether the work was done within the last minute.
    pub(super) fn is_of_this_minute(&self, now: Timestamp) -> bool {
        // A stamp in the future was written before the clock was set back.
        self.last().is_some_and(|last| last <= now && now.millis_since(last) < MINUTE_MILLIS)
    }

    pub(super) fn set(&self, now: Timestamp) -> io::Result<()> {
        if let Some(dir) = self.0.parent() {
            Self::make_place(dir)?;
        }
        write(&self.0, now.as_millis().to_string().as_bytes())
    }

    /// Creates the directory for stamps and the files beside them.
    pub(crate) fn make_place(dir: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(dir)
    }

    fn last(&self) -> Option<Timestamp> {
        let bytes = read_beyond(MAX_BYTES, &self.0).ok()??;
        let millis = str::from_utf8(&bytes).ok()?.parse().ok()?;
        Some(Timestamp::from_millis(millis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_one_of_the_calendar_and_a_minute_is_sixty_seconds() {
        let dir = tempfile::tempdir().unwrap();
        let at = |days: u64, millis: u64| Timestamp::from_millis(days * DAY_MILLIS + millis);
        let stamp = Stamp::started(&dir.path().join("recall"));
        assert!(!stamp.is_of_today(at(7, 0)) && !stamp.is_of_this_minute(at(7, 0)));
        stamp.set(at(7, 30_000)).unwrap();
        let table = [
            (at(7, 30_000), true, true),
            (at(7, 89_999), true, true),
            (at(7, 90_000), true, false),
            (at(7, 29_999), true, false),
            (at(8, 0), false, false),
            (at(6, 0), false, false),
        ];
        for (now, is_of_today, is_of_this_minute) in table {
            assert_eq!(stamp.is_of_today(now), is_of_today, "{now:?}");
            assert_eq!(stamp.is_of_this_minute(now), is_of_this_minute, "{now:?}");
        }
        std::fs::write(&stamp.0, "nonsense").unwrap();
        assert!(!stamp.is_of_today(at(7, 30_000)));
    }
}
