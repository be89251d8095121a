//! Reads the files that an undo point stores, within the point's size limits.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::Limits;
use super::about::Reason;

/// Counts the bytes read so far, to enforce the limit for all files together.
#[derive(Default)]
pub(super) struct Reading {
    bytes: u64,
}

impl Reading {
    pub(super) fn read(&mut self, path: &Path, limits: Limits) -> Result<Vec<u8>, Reason> {
        let unreadable = |_: io::Error| Reason::Unreadable;
        let file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let room = limits.max_total_bytes.saturating_sub(self.bytes);
        let refusal = |bytes| match bytes {
            bytes if bytes > limits.max_file_bytes => Some(Reason::TooLarge { bytes }),
            bytes if bytes > room => Some(Reason::NoRoom { bytes }),
            _ => None,
        };
        if let Some(reason) = refusal(size) {
            return Err(reason);
        }
        let mut bytes = Vec::new();
        // The file may grow while it is read, so the read itself has a limit.
        let most = limits.max_file_bytes.min(room).saturating_add(1);
        file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
        if let Some(reason) = refusal(bytes.len() as u64) {
            return Err(reason);
        }
        self.bytes += bytes.len() as u64;
        Ok(bytes)
    }
}
