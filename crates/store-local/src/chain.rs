//! One segment: a file of chained lines, and its lock.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verger_event::stored::{
    Body, Carried, Damage, Decoded, Glance, Interest, LineHash, MAX_LINE_BYTES, StoredLine, decode,
    encode, follows,
};
use verger_event::{EventId, Fold, Record, SessionKey};
use verger_store::StoreError;

use crate::append::{ends_in_newline, write_whole};
use crate::dir::Dir;
use crate::failure::failed;
use crate::line_reader::{LineReader, LineText};
#[cfg(feature = "index")]
use crate::lock_note::LockNote;
use crate::{blob, lock};

/// The maximum number of attempts to lock. Another attempt is needed if another process removes the
/// lock file between opening and locking it.
const MAX_LOCK_TRIES: usize = 64;

/// The location of a segment: its directory and its name.
pub(crate) struct Chain<'a> {
    /// The log's top directory. It has the blobs that lines refer to.
    root: &'a Dir,
    pub(crate) dir: Dir,
    pub(crate) stem: String,
    lines: Lines,
}

/// The kind of lines in a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// Lines of one session. A line omits the fields that it shares with the line before it.
    OfSession,
    /// Lines of any session. Each line has all its fields.
    OfProject,
}

/// A position in a segment, up to which it was read. It includes the data about the last line that
/// the next line refers to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Head {
    /// The offset of the first byte that was not read.
    pub(crate) offset: u64,
    /// The sequence number of the last record that was read.
    pub(crate) seq: u64,
    pub(crate) last: Option<LastLine>,
    /// The fields that the next line takes over from earlier lines.
    carried: Carried,
}

impl Head {
    /// A head at `offset`, for reading from there without knowledge of earlier lines.
    pub(crate) fn at(offset: u64) -> Self {
        Self { offset, ..Self::default() }
    }

    /// The sequence number of the next record. Saturates, because a damaged line may have the
    /// highest number.
    pub(crate) fn next_seq(&self) -> u64 {
        self.seq.saturating_add(1)
    }

    /// Whether `file` still has the last line that was read, unchanged and at the same offset.
    pub(crate) fn is_in(&self, file: &File) -> bool {
        file.metadata().is_ok_and(|metadata| self.is_within(file, metadata.len()))
    }

    /// Returns a reader of the lines after this head, or `None` if `file` no longer has the head's
    /// last line. `file` must have at least `end` bytes.
    pub(crate) fn tail<'f>(&self, file: &'f File, end: End<'_>) -> Option<LineReader<'f>> {
        let end = end.offset();
        let mut lines = LineReader::up_to(end, file, self.offset);
        // If the next line has the hash of the last line, the last line needn't be read and hashed
        // again.
        let is_followed = self.offset < end
            && self.last.as_ref().is_some_and(|last| {
                lines.peek().is_ok_and(|next| next.is_some_and(|next| follows(next, &last.hash)))
            });
        (is_followed || self.is_within(file, end)).then_some(lines)
    }

    fn is_within(&self, file: &File, end: u64) -> bool {
        let Some(last) = &self.last else { return self.offset == 0 };
        let Ok(len) = usize::try_from(last.len) else { return false };
        let mut line = vec![0; len.min(MAX_LINE_BYTES)];
        self.offset <= end
            && file.read_exact_at(&mut line, last.offset).is_ok()
            && LineHash::of(&line) == last.hash
    }
}

/// The last intact line that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastLine {
    offset: u64,
    len: u64,
    pub(crate) hash: LineHash,
}

/// The position at which folding a segment ends.
#[derive(Clone, Copy)]
pub(crate) enum End<'a> {
    /// Folding ends at the end of the file.
    Open,
    /// Folding ends with the last line that begins before this byte.
    At(u64),
    /// Folding ends at this head, up to which the segment was read before.
    Read(&'a Head),
}

impl End<'_> {
    pub(crate) fn offset(self) -> u64 {
        match self {
            Self::Open => u64::MAX,
            Self::At(offset) => offset,
            Self::Read(head) => head.offset,
        }
    }

    /// The head's last line, whose hash is known, if it is the line at `offset` with `len` bytes.
    fn hashed(self, offset: u64, len: usize) -> Option<LastLine> {
        let Self::Read(Head { last: Some(last), .. }) = self else { return None };
        (last.offset == offset && last.len == len as u64).then(|| last.clone())
    }
}

/// The lines of which a scan computes the hash.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hashed {
    /// A scan hashes each line, for callers that use the head before each line.
    Each,
    /// A scan hashes only the last line, at its end. Hashing a line can cost more than reading it.
    Last,
}

/// The role of a line in the chain of hashes.
enum Link {
    /// The line belongs to the chain. `seq` is its record's number, if it states one.
    Whole { seq: Option<u64> },
    /// The line doesn't belong to the chain and is skipped.
    Broken,
}

/// An item that a scan finds, with the head before it.
pub(crate) enum Scanned<'a> {
    Record { before: &'a Head, line: Box<StoredLine<'a>> },
    Foreign { version: u32 },
    Bad { offset: u64, damage: Damage },
}

/// A record with its encoded payload, ready to be written.
pub(crate) struct Ready {
    /// The record. It has its event even if the payload is in a blob, because states are folded
    /// from the event. The record's number is assigned when the record is written.
    pub(crate) record: Record,
    pub(crate) body: Body<'static>,
}

impl<'a> Chain<'a> {
    pub(crate) fn of_session(root: &'a Dir, dir: Dir, stem: String) -> Self {
        Self { root, dir, stem, lines: Lines::OfSession }
    }

    pub(crate) fn of_project(root: &'a Dir, dir: Dir, stem: String) -> Self {
        Self { root, dir, stem, lines: Lines::OfProject }
    }

    pub(crate) fn path(&self) -> std::path::PathBuf {
        self.dir.path_of(&self.segment_name())
    }

    /// Returns a function for `map_err` that makes an error with the action and the segment's path.
    /// The path is built only if there is an error.
    fn failed(&self, action: &'static str) -> impl FnOnce(io::Error) -> StoreError {
        move |error| failed(action, self.path())(error)
    }

    fn segment_name(&self) -> String {
        format!("{}.jsonl", self.stem)
    }

    /// The key of the session that all lines belong to, if the segment's file name determines it.
    fn session_key(&self) -> Option<SessionKey> {
        match self.lines {
            Lines::OfSession => SessionKey::of_file_stem(&self.stem),
            Lines::OfProject => None,
        }
    }

    fn lock_name(&self) -> String {
        format!("{}.lock", self.stem)
    }

    /// Takes the segment's lock. Returns `None` if the lock isn't free within `wait`.
    pub(crate) fn lock(&self, wait: Duration) -> Result<Option<File>, StoreError> {
        let name = self.lock_name();
        for _ in 0..MAX_LOCK_TRIES {
            let taken = lock::acquire(self.dir.update(&name)?, wait)
                .map_err(failed("lock", self.dir.path_of(&name)))?;
            let Some(file) = taken else { return Ok(None) };
            let metadata = file.metadata().map_err(failed("look at", self.dir.path_of(&name)))?;
            // The previous holder may have removed the lock file; a lock on a removed file excludes
            // no other process.
            if metadata.nlink() > 0 {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// Reads the note in the lock file, without taking the lock.
    #[cfg(feature = "index")]
    pub(crate) fn note(&self) -> Result<Option<LockNote>, StoreError> {
        Ok(self.dir.read(&self.lock_name())?.map(|file| LockNote::read(&file)))
    }

    /// Removes the lock file. The caller must hold the lock, so that no other process is using the
    /// file.
    pub(crate) fn remove_lock(&self) -> Result<(), StoreError> {
        self.dir.remove(&self.lock_name())
    }

    /// Takes the segment's lock. Fails if the lock isn't free within `wait`.
    pub(crate) fn must_lock(&self, wait: Duration) -> Result<File, StoreError> {
        let busy = failed("lock", self.dir.path_of(&self.lock_name()));
        self.lock(wait)?.ok_or_else(|| busy(io::Error::from(ErrorKind::TimedOut)))
    }

    /// Converts a line to its record. The payload is read from its blob if the line refers to one.
    pub(crate) fn resolve(&self, line: StoredLine<'_>) -> Record {
        match line.body() {
            Body::Inline(_) => line.into_record(None),
            Body::Blob(reference) => line.into_record(blob::get(self.root, &reference).as_deref()),
        }
    }

    /// Converts a line to a record that can be written again. The payload's text isn't changed.
    pub(crate) fn ready(&self, line: StoredLine<'_>) -> Ready {
        let body = match line.body() {
            Body::Inline(json) => Body::Inline(json.into_owned().into()),
            Body::Blob(reference) => Body::Blob(reference),
        };
        Ready { body, record: self.resolve(line) }
    }

    pub(crate) fn existing(&self) -> Result<Option<File>, StoreError> {
        self.dir.read(&self.segment_name())
    }

    /// Whether the session or project has a segment or a spill.
    pub(crate) fn is_there(&self) -> Result<bool, StoreError> {
        Ok(self.existing()?.is_some() || self.has_spill()?)
    }

    /// The segment's length in bytes. Zero if there is no segment.
    pub(crate) fn size(&self) -> Result<u64, StoreError> {
        self.existing()?.map_or(Ok(0), |file| self.end_of(&file))
    }

    /// The current length of the open segment in bytes.
    pub(crate) fn end_of(&self, file: &File) -> Result<u64, StoreError> {
        Ok(file.metadata().map_err(self.failed("look at"))?.len())
    }

    pub(crate) fn opened(&self) -> Result<File, StoreError> {
        self.dir.append(&self.segment_name())
    }

    pub(crate) fn remove(&self) -> Result<(), StoreError> {
        self.dir.remove(&self.segment_name())
    }

    /// Scans the lines from `head` on. An intact last line counts even without its newline. The
    /// head stays before a last line that is not intact, because another process may still be
    /// writing that line.
    pub(crate) fn scan(
        &self,
        file: &File,
        head: &mut Head,
        mut each: impl FnMut(Scanned<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let lines = LineReader::new(file, head.offset);
        self.scan_lines(End::Open, Hashed::Each, lines, head, |before, carried, (offset, text)| {
            Ok(match text.and_then(|text| carried.decode(text)) {
                Ok(Decoded::Line(line)) => {
                    let seq = line.seq();
                    each(Scanned::Record { before, line })?;
                    Link::Whole { seq: Some(seq) }
                }
                Ok(Decoded::Foreign { version, seq }) => {
                    each(Scanned::Foreign { version })?;
                    Link::Whole { seq }
                }
                Err(damage) => {
                    each(Scanned::Bad { offset, damage })?;
                    Link::Broken
                }
            })
        })
    }

    /// Folds the lines from `head` on, which is where `lines` begins. Returns the number of lines
    /// that aren't records.
    pub(crate) fn fold_on<F: Fold>(
        &self,
        lines: LineReader<'_>,
        end: End<'_>,
        head: &mut Head,
        state: &mut F,
    ) -> Result<u64, StoreError> {
        let interest = Interest { kinds: F::KINDS, gates: F::GATES };
        let mut damaged = 0;
        self.scan_lines(end, Hashed::Last, lines, head, |_, carried, (_, text)| {
            Ok(match text.and_then(|text| carried.glance(text, interest)) {
                Ok(Glance::Outline(outline)) => {
                    state.pass(&outline);
                    Link::Whole { seq: Some(outline.seq) }
                }
                Ok(Glance::Whole(Decoded::Line(line))) => {
                    let seq = line.seq();
                    state.apply(&self.resolve(*line));
                    Link::Whole { seq: Some(seq) }
                }
                Ok(Glance::Whole(Decoded::Foreign { seq, .. })) => Link::Whole { seq },
                Err(_) => {
                    damaged += 1;
                    Link::Broken
                }
            })
        })?;
        Ok(damaged)
    }

    /// Passes each line to `take`, with the head before the line, the fields that the line takes
    /// over from earlier lines, and the line's offset.
    fn scan_lines(
        &self,
        end: End<'_>,
        hashed: Hashed,
        mut lines: LineReader<'_>,
        head: &mut Head,
        mut take: impl FnMut(
            &Head,
            &mut Carried,
            (u64, Result<&[u8], Damage>),
        ) -> Result<Link, StoreError>,
    ) -> Result<(), StoreError> {
        let mut carried = std::mem::take(&mut head.carried);
        if carried.is_unknown()
            && let Some(key) = self.session_key()
        {
            carried = Carried::in_segment_of(key);
        }
        let hash = |offset: u64, text: &[u8]| LastLine {
            offset,
            len: text.len() as u64,
            hash: LineHash::of(text),
        };
        let mut last = None;
        while lines.offset() < end.offset()
            && let Some(line) = lines.next().map_err(self.failed("read"))?
        {
            let (text, is_ended) = match line.text {
                // The repair of a torn line left an empty line behind.
                LineText::Ended(b"") => {
                    head.offset = line.end;
                    continue;
                }
                LineText::Ended(text) => (text, true),
                LineText::Unended(text) => (text, false),
                LineText::TooLong => {
                    head.offset = line.end;
                    carried.lose_line();
                    take(head, &mut carried, (line.offset, Err(Damage::Checksum)))?;
                    continue;
                }
            };
            match take(head, &mut carried, (line.offset, Ok(text)))? {
                Link::Whole { seq } => head.seq = seq.unwrap_or_else(|| head.next_seq()),
                Link::Broken => {
                    if is_ended {
                        head.offset = line.end;
                    }
                    continue;
                }
            }
            head.offset = line.end;
            match hashed {
                Hashed::Each => head.last = Some(hash(line.offset, text)),
                Hashed::Last => last = Some((line.offset, text.len())),
            }
        }
        head.carried = carried;
        if let Some((offset, len)) = last {
            head.last = Some(if let Some(known) = end.hashed(offset, len) {
                known
            } else if let Some(text) = lines.read_before(offset, len) {
                // Usually one read has returned all lines, and the last line is still in the
                // buffer.
                hash(offset, text)
            } else {
                let again = lines.read_again(offset, len).map_err(self.failed("read"))?;
                hash(offset, &again)
            });
        }
        Ok(())
    }

    /// Passes the first readable record to `take`. Only a record that names its own session counts.
    pub(crate) fn first_record(
        &self,
        file: &File,
        take: impl FnOnce(StoredLine<'_>),
    ) -> Result<(), StoreError> {
        let mut lines = LineReader::new(file, 0);
        while let Some(line) = lines.next().map_err(self.failed("read"))? {
            if let LineText::Ended(text) | LineText::Unended(text) = line.text
                && let Ok(Decoded::Line(stored)) = decode(text)
            {
                take(*stored);
                break;
            }
        }
        Ok(())
    }

    /// The head at the end of the segment. Reads backwards from the end, because an append needs
    /// only the last intact line.
    pub(crate) fn end(&self, file: &File) -> Result<Head, StoreError> {
        self.end_with(file, 1).map(|(head, _)| head)
    }

    /// Like `end`, but also returns the ids of the last records in order, at least as many as
    /// wanted.
    pub(crate) fn end_with(
        &self,
        file: &File,
        wanted: usize,
    ) -> Result<(Head, Vec<EventId>), StoreError> {
        let size = self.end_of(file)?;
        let mut back = 2 * MAX_LINE_BYTES as u64;
        loop {
            let from = size.saturating_sub(back);
            let mut head = Head::at(from);
            let mut ids = vec![];
            // The first line may be cut off at its beginning. It then counts as damaged and is
            // skipped.
            self.scan(file, &mut head, |scanned| {
                if let Scanned::Record { line, .. } = scanned {
                    ids.push(line.id());
                }
                Ok(())
            })?;
            if from == 0 || (head.last.is_some() && ids.len() >= wanted) {
                return Ok((head, ids));
            }
            back *= 8;
        }
    }

    /// Appends all records in one write, or none. `head` must be at the end of the segment, and the
    /// caller must hold the lock.
    pub(crate) fn append(
        &self,
        file: &File,
        head: &mut Head,
        records: &[Ready],
    ) -> Result<(), StoreError> {
        let mut next = head.clone();
        let size = self.end_of(file)?;
        let mut buffer = Vec::new();
        if !ends_in_newline(file, size).map_err(self.failed("read"))? {
            buffer.push(b'\n');
        }
        for Ready { record, body } in records {
            let seq = next.next_seq();
            let prev = next.last.as_ref().map(|last| &last.hash);
            let line = match self.lines {
                Lines::OfSession => next.carried.encode(&record.draft, seq, prev, body)?,
                Lines::OfProject => encode(&record.draft, seq, prev, body)?,
            };
            // Readers reject a line that is longer than this.
            if line.len() > MAX_LINE_BYTES {
                let error = io::Error::from(ErrorKind::FileTooLarge);
                return Err(self.failed("append to")(error));
            }
            let text = &line[..line.len() - 1];
            let offset = size + buffer.len() as u64;
            let last = LastLine { offset, len: text.len() as u64, hash: LineHash::of(text) };
            next = Head { offset: offset + line.len() as u64, seq, last: Some(last), ..next };
            buffer.extend_from_slice(&line);
        }
        write_whole(file, size, &buffer).map_err(self.failed("append to"))?;
        *head = next;
        Ok(())
    }
}
