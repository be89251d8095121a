//! Converts the settings of undo points into limits and retention.

use verger_config::Settings;
use verger_worktree::undo::{Limits, Retention};

const MIB: u64 = 1024 * 1024;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The size limits of one point.
pub fn undo_limits(settings: &Settings) -> Limits {
    Limits {
        max_file_bytes: settings.undo.max_file_mib.value * MIB,
        max_total_bytes: settings.undo.max_total_mib.value * MIB,
    }
}

/// The retention of points.
pub fn undo_retention(settings: &Settings) -> Retention {
    Retention {
        points: usize::try_from(settings.undo.keep_points.value).unwrap_or(usize::MAX),
        millis: settings.undo.keep_days.value * DAY_MS,
    }
}
