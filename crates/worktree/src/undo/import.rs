//! Writes the input of `git fast-import`, which saves an undo point. Git stores the bytes unchanged
//! in one pack and sets the reference last. So an input that ends too early sets no reference.

use std::collections::BTreeMap;
use std::io::{self, Write};

use sha2::{Digest, Sha256};
use verger_event::{EventId, hex};

use crate::repository::quoted;
use crate::version::{RepositoryPath, Version};

/// The committer of undo points. It names no person.
const COMMITTER: &str = "verger <verger@invalid>";

/// A change of one path, compared with the commit's base tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Absent,
    /// File content that is sent in the `git fast-import` stream, as the blob with this mark.
    Bytes {
        mode: &'static str,
        mark: u64,
    },
    /// An object that the repository already has, by its id.
    Object {
        mode: String,
        id: String,
    },
}

impl From<&Version> for Entry {
    fn from(version: &Version) -> Self {
        match version {
            Version::Absent => Self::Absent,
            Version::Present { mode, id } => Self::Object { mode: mode.clone(), id: id.clone() },
        }
    }
}

pub(super) type Entries = BTreeMap<RepositoryPath, Entry>;

/// A commit to write to the stream.
pub(super) struct Commit<'a> {
    pub(super) message: &'a str,
    /// The commit whose tree the entries change. Without a base, the tree has only the entries.
    pub(super) base: Option<&'a str>,
    pub(super) other_parents: &'a [u64],
    pub(super) entries: &'a Entries,
}

/// Writes the stream for `git fast-import`. `digest` covers the bytes and the entries, but not the
/// time of saving.
pub(super) struct Import<W> {
    out: W,
    digest: Sha256,
    reference: String,
    seconds: u64,
    marks: u64,
}

impl<W: Write> Import<W> {
    pub(super) fn new(out: W, reference: String, id: EventId) -> Self {
        let seconds = id.made_at().as_millis() / 1000;
        Self { out, digest: Sha256::new(), reference, seconds, marks: 0 }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<u64> {
        self.marks += 1;
        write!(self.out, "blob\nmark :{}\ndata {}\n", self.marks, bytes.len())?;
        self.out.write_all(bytes)?;
        self.out.write_all(b"\n")?;
        self.digest.update((bytes.len() as u64).to_le_bytes());
        self.digest.update(bytes);
        Ok(self.marks)
    }

    /// Adds data to the digest. The digest is used to compare undo points.
    pub(super) fn note(&mut self, bytes: &[u8]) {
        self.digest.update((bytes.len() as u64).to_le_bytes());
        self.digest.update(bytes);
    }

    pub(super) fn note_entries(&mut self, entries: &Entries) {
        for (path, entry) in entries {
            self.note(path);
            self.note(format!("{entry:?}").as_bytes());
        }
    }

    /// The hash of all data that was added to the digest so far.
    pub(super) fn content(&self) -> String {
        hex(&self.digest.clone().finalize())
    }

    /// Writes a commit to the stream. The reference will point to the last commit that is written.
    pub(super) fn commit(&mut self, commit: &Commit<'_>) -> io::Result<u64> {
        self.marks += 1;
        let (reference, mark) = (&self.reference, self.marks);
        // Without the reset, `git fast-import` would make the previous commit a parent.
        writeln!(self.out, "reset {reference}\n\ncommit {reference}\nmark :{mark}")?;
        writeln!(self.out, "committer {COMMITTER} {} +0000", self.seconds)?;
        writeln!(self.out, "data {}\n{}", commit.message.len(), commit.message)?;
        if let Some(base) = commit.base {
            writeln!(self.out, "from {base}")?;
        }
        for parent in commit.other_parents {
            writeln!(self.out, "merge :{parent}")?;
        }
        // Removals come first, because only then can a file replace a directory, or a directory a
        // file.
        for (path, _) in commit.entries.iter().filter(|(_, entry)| **entry == Entry::Absent) {
            self.entry("D", path)?;
        }
        for (path, entry) in commit.entries {
            match entry {
                Entry::Absent => {}
                Entry::Bytes { mode, mark } => self.entry(&format!("M {mode} :{mark}"), path)?,
                Entry::Object { mode, id } => self.entry(&format!("M {mode} {id}"), path)?,
            }
        }
        self.out.write_all(b"\n")?;
        Ok(mark)
    }

    fn entry(&mut self, what: &str, path: &RepositoryPath) -> io::Result<()> {
        write!(self.out, "{what} ")?;
        self.out.write_all(&quoted(path))?;
        self.out.write_all(b"\n")
    }

    pub(super) fn done(mut self) -> io::Result<()> {
        self.out.write_all(b"done\n")?;
        self.out.flush()
    }
}
