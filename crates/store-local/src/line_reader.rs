//! Reads the lines of a file from an offset on. Its memory is bounded, whatever the file contains.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use rustix::buffer::spare_capacity;
use rustix::io::Errno;
use verger_event::stored::MAX_LINE_BYTES;

/// The maximum size of the buffer: four of the longest lines, so that most reads return several
/// lines.
const BUFFER_BYTES: usize = 4 * MAX_LINE_BYTES;
/// The size of the first read when the file's length is unknown.
const FIRST_READ_BYTES: usize = 16 * 1024;

pub(crate) struct LineReader<'a> {
    file: &'a File,
    /// The bytes that were read. The buffer grows only as needed, so that no further memory is
    /// touched.
    buffer: Vec<u8>,
    /// The range of the buffer that was not returned yet.
    unread: std::ops::Range<usize>,
    /// The offset in the file at which `unread` begins.
    offset: u64,
    /// The size of the first read, in bytes.
    first_read: usize,
    at_end: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// The offset in the file at which the line begins.
    pub(crate) offset: u64,
    /// The offset in the file at which the next line begins.
    pub(crate) end: u64,
    pub(crate) text: LineText<'a>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LineText<'a> {
    /// A line that ends in a newline, without the newline.
    Ended(&'a [u8]),
    /// The last line of the file, which has no newline.
    Unended(&'a [u8]),
    /// A line that is longer than any record. Whether a line is too long never depends on where the
    /// reader began or on how much of the file is in the buffer.
    TooLong,
}

/// The maximum length of a line, without its newline.
const MAX_TEXT_BYTES: usize = MAX_LINE_BYTES - 1;

impl<'a> LineReader<'a> {
    pub(crate) fn new(file: &'a File, offset: u64) -> Self {
        Self {
            file,
            buffer: Vec::new(),
            unread: 0..0,
            offset,
            first_read: FIRST_READ_BYTES,
            at_end: false,
        }
    }

    /// Like `new`, for reading only up to the offset `end`. The first read requests as much of the
    /// range as fits into the buffer.
    pub(crate) fn up_to(end: u64, file: &'a File, offset: u64) -> Self {
        let mut lines = Self::new(file, offset);
        if end != u64::MAX {
            let tail = usize::try_from(end.saturating_sub(offset)).unwrap_or(BUFFER_BYTES);
            lines.first_read = tail.clamp(1, BUFFER_BYTES);
        }
        lines
    }

    /// Bytes of the file that were read before, if they are still in the buffer.
    pub(crate) fn read_before(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let begin = self.offset - self.unread.start as u64;
        let at = usize::try_from(offset.checked_sub(begin)?).ok()?;
        self.buffer.get(at..at.checked_add(len)?)
    }

    /// Reads bytes of the file again that were read before.
    pub(crate) fn read_again(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        self.file.read_exact_at(&mut bytes, offset).map(|()| bytes)
    }

    /// The next line without its newline. `None` if one read doesn't return all of it.
    pub(crate) fn peek(&mut self) -> io::Result<Option<&[u8]>> {
        if self.unread.is_empty() {
            self.fill()?;
        }
        let unread = &self.buffer[self.unread.clone()];
        Ok(memchr::memchr(b'\n', unread).map(|len| &unread[..len]))
    }

    /// The offset in the file at which the next line begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(found) = memchr::memchr(b'\n', &unread[searched..]) {
                let len = searched + found;
                let start = self.unread.start;
                let offset = self.advance(len + 1);
                let text = if len > MAX_TEXT_BYTES {
                    LineText::TooLong
                } else {
                    LineText::Ended(&self.buffer[start..start + len])
                };
                return Ok(Some(Line { offset, end: self.offset, text }));
            }
            searched = unread.len();
            if searched > MAX_TEXT_BYTES {
                return self.skip_long_line().map(Some);
            }
            if self.at_end {
                if searched == 0 {
                    return Ok(None);
                }
                let start = self.unread.start;
                let offset = self.advance(searched);
                let text = LineText::Unended(&self.buffer[start..start + searched]);
                return Ok(Some(Line { offset, end: self.offset, text }));
            }
            self.fill()?;
        }
    }

    fn advance(&mut self, len: usize) -> u64 {
        let offset = self.offset;
        self.unread.start += len;
        self.offset += len as u64;
        offset
    }

    fn skip_long_line(&mut self) -> io::Result<Line<'static>> {
        let offset = self.offset;
        loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(found) = memchr::memchr(b'\n', unread) {
                self.advance(found + 1);
                break;
            }
            self.advance(self.unread.len());
            if self.at_end {
                break;
            }
            self.fill()?;
        }
        Ok(Line { offset, end: self.offset, text: LineText::TooLong })
    }

    fn fill(&mut self) -> io::Result<()> {
        // A read that did not fill the buffer has probably reached the end of the file. A larger
        // buffer, allocated only to confirm that, would cost a hook more than the rest of its work
        // on the log.
        let room = self.buffer.capacity();
        let is_full = self.buffer.len() == room;
        self.buffer.drain(..self.unread.start);
        if room == 0 {
            self.buffer.reserve_exact(self.first_read);
        } else if is_full {
            // The buffer is doubled, because a tail a little longer than the first read is common.
            self.buffer.reserve_exact((2 * room).min(BUFFER_BYTES) - self.buffer.len());
        }
        let at = self.offset + self.buffer.len() as u64;
        let read = loop {
            match rustix::io::pread(self.file, spare_capacity(&mut self.buffer), at) {
                Err(Errno::INTR) => {}
                other => break other?,
            }
        };
        self.unread = 0..self.buffer.len();
        self.at_end = read == 0;
        Ok(())
    }
}
