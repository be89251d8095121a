//! The history of a reference, read from git's reflog files.
//!
//! The files are read directly, because git would load a commit for every line. A repository that
//! stores references in another format has no such files, so the history of its references is
//! unknown.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use verger_event::hex;

/// The maximum number of bytes that are read from a log. A log that grows by more during one task
/// is not followed.
const MAX_LOG_BYTES: u64 = 8 * 1024 * 1024;
/// The number of bytes before a mark that are compared to detect a log that was rewritten.
const TAIL_BYTES: u64 = 1024;

/// One line of a reflog: a move of the reference. `from` is zeros if the reference did not exist
/// before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) message: String,
}

/// A position in a reflog. Git only appends to the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogMark {
    length: u64,
    /// A hash of the last bytes of the log before the position.
    tail: String,
}

/// The moves in a reflog that were appended after a mark.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Since {
    Moves(Vec<Move>),
    /// The log was rewritten since the mark, or can't be read. These are all moves that it has now.
    Rewritten(Vec<Move>),
}

impl LogMark {
    /// Creates a mark at the current end of a log.
    pub(crate) fn at_end(log: &Path) -> Self {
        // A log that can't be read gets a mark that no readable log matches.
        let found = File::open(log).and_then(|mut file| {
            let length = file.seek(SeekFrom::End(0))?;
            Ok((length, hash_before(&mut file, length)?))
        });
        let (length, tail) = found.unwrap_or_default();
        Self { length, tail }
    }

    pub(crate) fn since(&self, log: &Path) -> Since {
        let read = File::open(log).and_then(|mut file| {
            let length = file.seek(SeekFrom::End(0))?;
            let is_same = length >= self.length
                && (self.length == 0 || hash_before(&mut file, self.length)? == self.tail);
            let from = if is_same { self.length } else { length.saturating_sub(MAX_LOG_BYTES) };
            file.seek(SeekFrom::Start(from))?;
            let mut bytes = Vec::new();
            file.take(MAX_LOG_BYTES + 1).read_to_end(&mut bytes)?;
            Ok((is_same && bytes.len() as u64 <= MAX_LOG_BYTES, bytes))
        });
        match read {
            Ok((true, bytes)) => Since::Moves(moves(&bytes)),
            Ok((false, bytes)) => Since::Rewritten(moves(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.length == 0 => {
                Since::Moves(vec![])
            }
            Err(_) => Since::Rewritten(vec![]),
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (length, tail) = text.split_once(' ')?;
        Some(Self { length: length.parse().ok()?, tail: tail.to_owned() })
    }
}

impl std::fmt::Display for LogMark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.length, self.tail)
    }
}

fn hash_before(file: &mut File, end: u64) -> io::Result<String> {
    let from = end.saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(end - from).read_to_end(&mut bytes)?;
    Ok(hex(&Sha256::digest(bytes)[..16]))
}

/// The newest moves of a reference, in the order in which they were made.
pub(crate) fn latest_moves(log: &Path) -> Vec<Move> {
    match (LogMark { length: u64::MAX, tail: String::new() }).since(log) {
        Since::Moves(moves) | Since::Rewritten(moves) => moves,
    }
}

/// The directory of the reflogs of the references that all worktrees share.
pub(crate) fn shared_logs(git_dir: &Path) -> PathBuf {
    let shared = std::fs::read_to_string(git_dir.join("commondir"));
    let directory =
        shared.map_or_else(|_| git_dir.to_owned(), |path| git_dir.join(path.trim_end()));
    directory.join("logs")
}

/// Parses the lines of a reflog: `from to name <address> seconds zone`, a tab, and the message.
/// Skips a first line whose beginning is cut off.
fn moves(bytes: &[u8]) -> Vec<Move> {
    let text = String::from_utf8_lossy(bytes);
    let parsed = text.lines().filter_map(|line| {
        let (head, message) = line.split_once('\t').unwrap_or((line, ""));
        let mut words = head.split(' ');
        let (from, to) = (words.next()?, words.next()?);
        let is_id = |word: &str| {
            matches!(word.len(), 40 | 64) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let found = Move { from: from.to_owned(), to: to.to_owned(), message: message.to_owned() };
        (is_id(from) && is_id(to)).then_some(found)
    });
    parsed.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn line(from: u8, to: u8) -> String {
        let id = |n: u8| format!("{n:040x}");
        format!("{} {} Ann <ann@example.org> 1 +0000\tmoved\n", id(from), id(to))
    }

    fn ends(moves: &[Move]) -> Vec<u64> {
        moves.iter().map(|found| u64::from_str_radix(&found.to, 16).unwrap()).collect()
    }

    #[test]
    fn appended_moves_are_found_and_a_rewritten_log_is_detected() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let unborn = LogMark::at_end(&log);
        assert_eq!(unborn.since(&log), Since::Moves(vec![]));
        let old: String = (0..50).map(|n| line(n, n + 1)).collect();
        fs::write(&log, &old).unwrap();
        let mark = LogMark::at_end(&log);
        assert_eq!(LogMark::parse(&mark.to_string()), Some(mark.clone()));
        assert_eq!(mark.since(&log), Since::Moves(vec![]));
        fs::write(&log, old.clone() + &line(50, 60) + &line(60, 61)).unwrap();
        let Since::Moves(moves) = mark.since(&log) else { panic!("rewritten") };
        assert_eq!(ends(&moves), [60, 61]);
        assert!(matches!(unborn.since(&log), Since::Moves(moves) if moves.len() == 52));
        assert_eq!(ends(&latest_moves(&log)).len(), 52);
        for other in [old[100..].to_owned(), old.replace("Ann", "Bob"), String::new()] {
            fs::write(&log, &other).unwrap();
            assert!(matches!(mark.since(&log), Since::Rewritten(_)), "{other}");
        }
        fs::remove_file(&log).unwrap();
        assert_eq!(mark.since(&log), Since::Rewritten(vec![]));
    }

    #[test]
    fn worktrees_share_their_logs() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(shared_logs(directory.path()), directory.path().join("logs"));
        fs::write(directory.path().join("commondir"), "../..\n").unwrap();
        assert_eq!(shared_logs(directory.path()), directory.path().join("../../logs"));
    }
}
