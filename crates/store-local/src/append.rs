//! Appending to a file of lines so that a killed writer leaves at most one torn line.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileExt;

/// Whether the file, which has `size` bytes, can be appended to as it is. The last line may be torn.
pub fn ends_in_newline(file: &File, size: u64) -> io::Result<bool> {
    if size == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.read_exact_at(&mut last, size - 1)?;
    Ok(last == *b"\n")
}

/// Appends all of it in one write, or nothing. The file has `size` bytes and was opened to append;
/// no other process may write to it meanwhile.
pub fn write_whole(file: &File, size: u64, bytes: &[u8]) -> io::Result<()> {
    let written = match write_once(file, bytes) {
        Ok(written) if written == bytes.len() => Ok(()),
        Ok(_) => Err(io::Error::from(ErrorKind::StorageFull)),
        Err(error) => Err(error),
    };
    written.inspect_err(|_| {
        // If this fails too, a torn line stays behind, which the next writer heals.
        drop(file.set_len(size));
    })
}

/// One write: two would let another process in between. One that a signal cut off before its first
/// byte was none.
fn write_once(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match file.write(bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
