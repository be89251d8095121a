//! A copy of the user's index, without the marks that make git believe a file unseen.
//!
//! Whoever marks a file (`--assume-unchanged`, `--skip-worktree`) may change it afterwards without
//! git noticing. In the copy no file is believed, and marked files are told so that they are looked
//! at. The form is git's own, `gitformat-index`, versions 2 to 4.

use std::fs::{self, File, FileTimes};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::SystemTime;

use crate::version::{RepositoryPath, Version};

const ASSUME_VALID: u8 = 0x80;
const EXTENDED: u8 = 0x40;
const SKIP_WORKTREE: u8 = 0x40;
/// A directory that stands for everything in it, in an index of a sparse checkout.
const DIRECTORY_MODE: u32 = 0o040_000;

/// An index as it is on disk.
pub(crate) struct IndexCopy {
    bytes: Vec<u8>,
    modified: SystemTime,
}

/// An entry that git would not compare with its file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) path: RepositoryPath,
    pub(crate) version: Version,
    flags_at: usize,
}

/// What an index says beside its list of files.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Whole {
        marked: Vec<Marked>,
    },
    /// Most of it is in another file.
    Split,
    /// Of a version that is not known here; it is taken as it is.
    Unknown,
}

impl IndexCopy {
    /// `None` for a repository that has no index yet.
    pub(crate) fn read(path: &Path) -> io::Result<Option<Self>> {
        let modified = match fs::metadata(path) {
            Ok(found) => found.modified()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(Self { bytes: fs::read(path)?, modified }))
    }

    /// `id_bytes` is how long an object's id is in this repository.
    pub(crate) fn form(&self, id_bytes: usize) -> Form {
        scan(&self.bytes, id_bytes).unwrap_or(Form::Unknown)
    }

    /// Takes the mark off an entry. Its checksum is not adapted: git does not look at it.
    pub(crate) fn unmark(&mut self, entry: &Marked) {
        let flags = &mut self.bytes[entry.flags_at..];
        let is_extended = flags[0] & EXTENDED != 0;
        flags[0] &= !ASSUME_VALID;
        if is_extended {
            flags[2] &= !SKIP_WORKTREE;
        }
    }

    /// The time goes with it: git tells by it which files may have changed unseen since the index
    /// was written.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let mut file =
            File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all(&self.bytes)?;
        file.set_times(FileTimes::new().set_modified(self.modified))
    }
}

/// Reads from a place that moves on.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn until_nul(&mut self) -> Option<&'a [u8]> {
        let length = self.bytes.get(self.at..)?.iter().position(|byte| *byte == 0)?;
        let taken = self.take(length)?;
        self.take(1)?;
        Some(taken)
    }

    /// Seven bits a byte, each continued one counted one higher.
    fn varint(&mut self) -> Option<usize> {
        let mut byte = self.take(1)?[0];
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = self.take(1)?[0];
            value = (value.checked_add(1)? << 7) | usize::from(byte & 0x7f);
        }
        Some(value)
    }
}

fn scan(bytes: &[u8], id_bytes: usize) -> Option<Form> {
    let end = bytes.len().checked_sub(id_bytes)?;
    let mut cursor = Cursor { bytes: &bytes[..end], at: 0 };
    (cursor.take(4)? == b"DIRC").then_some(())?;
    let version = cursor.number()?;
    (2..=4).contains(&version).then_some(())?;
    let (mut marked, mut name) = (vec![], vec![]);
    for _ in 0..cursor.number()? {
        let begin = cursor.at;
        // Two times of eight bytes, the device and the inode, the mode, three more numbers.
        let mode = u32::from_be_bytes(cursor.take(40)?.get(24..28)?.try_into().ok()?);
        let id = cursor.take(id_bytes)?;
        let flags_at = cursor.at;
        let flags = cursor.take(2)?[0];
        let more_flags = if flags & EXTENDED == 0 { 0 } else { cursor.take(2)?[0] };
        if version == 4 {
            let kept = name.len().checked_sub(cursor.varint()?)?;
            name.truncate(kept);
            name.extend_from_slice(cursor.until_nul()?);
        } else {
            name = cursor.until_nul()?.to_vec();
            let length = (cursor.at - begin).next_multiple_of(8);
            cursor.at = begin + length;
        }
        let is_marked = flags & ASSUME_VALID != 0 || more_flags & SKIP_WORKTREE != 0;
        if is_marked && mode != DIRECTORY_MODE {
            let version = Version::new(&format!("{mode:06o}"), &verger_event::hex(id));
            marked.push(Marked { path: name.clone(), version, flags_at });
        }
    }
    while let Some(signature) = cursor.take(4) {
        if signature == b"link" {
            return Some(Form::Split);
        }
        let length = cursor.number()?;
        cursor.take(usize::try_from(length).ok()?)?;
    }
    Some(Form::Whole { marked })
}
