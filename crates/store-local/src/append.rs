//! Appends lines to a file so that a killed writer leaves at most one torn line.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileExt;

/// Whether a file of `size` bytes is empty or ends in a newline, so that a line can be appended.
/// `false` means that the last line is torn.
pub fn ends_in_newline(file: &File, size: u64) -> io::Result<bool> {
    if size == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.read_exact_at(&mut last, size - 1)?;
    Ok(last == *b"\n")
}

/// Appends all `bytes` in one write, or nothing. `file` must have `size` bytes and be open in
/// append mode. No other process may write to the file during the call.
pub fn write_whole(file: &File, size: u64, bytes: &[u8]) -> io::Result<()> {
    let written = match write_once(file, bytes) {
        Ok(written) if written == bytes.len() => Ok(()),
        Ok(_) => Err(io::Error::from(ErrorKind::StorageFull)),
        Err(error) => Err(error),
    };
    written.inspect_err(|_| {
        // If truncating fails too, a torn line stays in the file, and the next writer repairs it.
        drop(file.set_len(size));
    })
}

/// Writes once and doesn't continue a partial write, because another process could write in
/// between. Only a write that a signal interrupts before its first byte is repeated.
fn write_once(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match file.write(bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
