//! The note in a session's lock file: the segment's length, and the processes of hook calls that
//! have the session open.
//!
//! The holder of the lock reads and writes the note in the lock file, which is open anyway. The
//! next call compares the note with the segment. So it detects a segment that was cut or removed,
//! and a call that was killed. The note is not synced against power cuts. An unreadable note counts
//! as empty.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// The length of every note, so that a new note replaces the old one in one write.
const BYTES: usize = 128;
/// The maximum number of calls that a note lists.
const MAX_CALLS: usize = 8;

/// The note in a lock file, as the last holder of the lock wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LockNote {
    /// The length of the segment in bytes, as of the last write.
    pub(crate) end: u64,
    /// The process ids of hook calls that opened the session and have not recorded their event yet.
    calls: BTreeSet<u32>,
}

impl LockNote {
    /// Reads the note in a lock file. Empty if there is no note or it can't be read.
    pub(crate) fn read(lock: &File) -> Self {
        let mut bytes = [0; BYTES];
        let read = lock.read_exact_at(&mut bytes, 0).ok();
        let text = read.and_then(|()| str::from_utf8(&bytes).ok()?.strip_suffix('\n'));
        text.and_then(Self::parse).unwrap_or_default()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let end = words.next()?.parse().ok()?;
        Some(Self { end, calls: words.map(|word| word.parse().ok()).collect::<Option<_>>()? })
    }

    /// Writes the note to the lock file. The caller must hold the lock.
    fn write(&self, lock: &File) {
        let mut text = self.end.to_string();
        for call in self.calls.iter().take(MAX_CALLS) {
            text += " ";
            text += &call.to_string();
        }
        let line = format!("{text:<width$}\n", width = BYTES - 1);
        // A failure is ignored: without a note, the next call only detects fewer losses. If the
        // disk is full, writing the record reports that.
        drop(lock.write_all_at(line.as_bytes(), 0));
    }

    /// The number of listed calls whose process no longer exists.
    pub(crate) fn killed(&self) -> u64 {
        self.calls.iter().filter(|call| is_gone(**call)).count() as u64
    }
}

fn is_gone(process: u32) -> bool {
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
    pid.is_none_or(|pid| test_kill_process(pid) == Err(Errno::SRCH))
}

/// The lock of a session that a hook call has open. The note lists the call until this value is
/// dropped.
pub(crate) struct NotedLock {
    lock: File,
    note: LockNote,
    /// Whether the call has released the lock but is not finished.
    is_suspended: bool,
}

impl NotedLock {
    /// Adds this process to the note in a locked file. Also returns the earlier note.
    pub(crate) fn begin(lock: File) -> (Self, LockNote) {
        let before = LockNote::read(&lock);
        let mut note = before.clone();
        note.calls.insert(std::process::id());
        note.write(&lock);
        (Self { lock, note, is_suspended: false }, before)
    }

    /// Notes that the call's records are in the segment, which now ends at `end`. The caller must
    /// have reported earlier losses.
    pub(crate) fn committed(&mut self, end: u64) {
        self.note.end = end;
        self.note.calls.retain(|call| !is_gone(*call));
    }

    pub(crate) fn suspend(&mut self) {
        self.is_suspended = true;
    }
}

impl Drop for NotedLock {
    fn drop(&mut self) {
        if !self.is_suspended {
            self.note.calls.remove(&std::process::id());
            self.note.write(&self.lock);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a process that ends at once, for a test")]
    fn gone() -> u32 {
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    }

    #[test]
    fn a_note_is_read_as_it_was_written_and_nothing_else_is_one() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(LockNote::read(&file), LockNote::default());
        for note in [
            LockNote { end: u64::MAX, calls: (u32::MAX - 7..=u32::MAX).collect() },
            LockNote { end: 0, calls: BTreeSet::new() },
        ] {
            note.write(&file);
            assert_eq!(file.metadata().unwrap().len(), BYTES as u64);
            assert_eq!(LockNote::read(&file), note);
        }
        file.write_all_at(b"x", 0).unwrap();
        assert_eq!(LockNote::read(&file), LockNote::default());
    }

    #[test]
    fn a_call_is_noted_until_it_ends_and_one_that_was_killed_stays_until_it_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let open = || {
            File::options().read(true).write(true).create(true).truncate(false).open(&path).unwrap()
        };
        let own = std::process::id();
        let killed = gone();
        LockNote { end: 5, calls: BTreeSet::from([killed]) }.write(&open());
        let (mut lock, before) = NotedLock::begin(open());
        assert_eq!((before.end, before.killed()), (5, 1));
        assert_eq!(LockNote::read(&open()).calls, BTreeSet::from([killed, own]));
        lock.suspend();
        drop(lock);
        assert_eq!(LockNote::read(&open()).calls, BTreeSet::from([killed, own]));
        let (mut lock, before) = NotedLock::begin(open());
        assert_eq!(before.killed(), 1);
        lock.committed(9);
        drop(lock);
        assert_eq!(LockNote::read(&open()), LockNote { end: 9, calls: BTreeSet::new() });
    }
}
