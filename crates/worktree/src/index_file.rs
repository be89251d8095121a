//! Reads and writes git's index files, in the format of `gitformat-index`, versions 2 to 4. Reading
//! finds the entries that git was told not to compare. A written index lets git hash chosen files
//! only.

use verger_event::hex;

use crate::version::{RepositoryPath, Version};

const ASSUME_VALID: u8 = 0x80;
const EXTENDED: u8 = 0x40;
const SKIP_WORKTREE: u8 = 0x40;
/// The mode of an entry for a whole directory, in the index of a sparse checkout.
const DIRECTORY_MODE: u32 = 0o040_000;
const SUBMODULE_MODE: u32 = 0o160_000;

/// The number of bytes of an entry's metadata: times, device, inode, mode, owner, group and size.
const STAT_BYTES: usize = 40;
const MODE_AT: usize = 24;
/// The length field of an entry whose name is longer. The name then ends at its NUL.
const MAX_NAME_LENGTH: usize = 0xfff;

pub(crate) struct Entry<'a> {
    pub(crate) path: &'a [u8],
    mode: u32,
    id: &'a [u8],
    /// The flag because of which git doesn't compare the entry with its file, if it has one.
    pub(crate) mark: Option<Mark>,
}

/// A flag because of which git doesn't compare an entry with its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    AssumeUnchanged,
    /// The flag of `--skip-worktree`. A sparse checkout sets it for the files that it leaves out.
    SkipWorktree,
}

impl Entry<'_> {
    pub(crate) fn version(&self) -> Version {
        Version::new(&format!("{:06o}", self.mode), &hex(self.id))
    }

    pub(crate) fn is_directory(&self) -> bool {
        self.mode == DIRECTORY_MODE
    }

    pub(crate) fn is_submodule(&self) -> bool {
        self.mode == SUBMODULE_MODE
    }
}

/// Whether an index is in one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Whole,
    /// A split index: most of its entries are in another file.
    Split,
}

/// Passes every entry to a callback. `id_bytes` is the length of the repository's object ids.
/// `None` for an unknown index version.
pub(crate) fn read_index(
    bytes: &[u8],
    id_bytes: usize,
    mut each: impl FnMut(&Entry<'_>),
) -> Option<Form> {
    let end = bytes.len().checked_sub(id_bytes)?;
    let mut cursor = Cursor { bytes: &bytes[..end], at: 0 };
    (cursor.take(4)? == b"DIRC").then_some(())?;
    let version = cursor.number()?;
    (2..=4).contains(&version).then_some(())?;
    let mut name = vec![];
    for _ in 0..cursor.number()? {
        let begin = cursor.at;
        let stat = cursor.take(STAT_BYTES)?;
        let mode = u32::from_be_bytes(stat[MODE_AT..MODE_AT + 4].try_into().ok()?);
        let id = cursor.take(id_bytes)?;
        let flags = cursor.take(2)?[0];
        let more_flags = if flags & EXTENDED == 0 { 0 } else { cursor.take(2)?[0] };
        if version == 4 {
            let kept = name.len().checked_sub(cursor.varint()?)?;
            name.truncate(kept);
        } else {
            name.clear();
        }
        name.extend_from_slice(cursor.until_nul()?);
        if version != 4 {
            cursor.at = begin + (cursor.at - begin).next_multiple_of(8);
        }
        let mark = match (flags & ASSUME_VALID, more_flags & SKIP_WORKTREE) {
            (0, 0) => None,
            (0, _) => Some(Mark::SkipWorktree),
            _ => Some(Mark::AssumeUnchanged),
        };
        each(&Entry { path: &name, mode, id, mark });
    }
    while let Some(signature) = cursor.take(4) {
        if signature == b"link" {
            return Some(Form::Split);
        }
        let length = cursor.number()?;
        cursor.take(usize::try_from(length).ok()?)?;
    }
    Some(Form::Whole)
}

/// Builds an index of these files, which must be sorted by path. The index has no stat data, so git
/// hashes every file in it. `None` if an id is invalid.
pub(crate) fn write_index<'a>(
    files: impl Iterator<Item = (&'a RepositoryPath, &'a Version)>,
    id_bytes: usize,
) -> Option<Vec<u8>> {
    let mut entries = vec![];
    let mut count = 0_u32;
    for (path, version) in files {
        let Version::Present { mode, id } = version else { continue };
        let begin = entries.len();
        entries.resize(begin + STAT_BYTES, 0);
        let mode = u32::from_str_radix(mode, 8).ok()?;
        entries[begin + MODE_AT..begin + MODE_AT + 4].copy_from_slice(&mode.to_be_bytes());
        let id = unhex(id).filter(|id| id.len() == id_bytes)?;
        entries.extend_from_slice(&id);
        let length = u16::try_from(path.len().min(MAX_NAME_LENGTH)).ok()?;
        entries.extend_from_slice(&length.to_be_bytes());
        entries.extend_from_slice(path);
        entries.resize(begin + (entries.len() + 1 - begin).next_multiple_of(8), 0);
        count += 1;
    }
    let mut bytes = b"DIRC\0\0\0\x02".to_vec();
    bytes.extend_from_slice(&count.to_be_bytes());
    bytes.append(&mut entries);
    // Zeros mean that no checksum was computed.
    bytes.resize(bytes.len() + id_bytes, 0);
    Some(bytes)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// Bytes with a read position.
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

    /// Decodes a variable-length number: seven bits per byte, and one is added for each
    /// continuation.
    fn varint(&mut self) -> Option<usize> {
        let mut byte = self.take(1)?[0];
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = self.take(1)?[0];
            value = (value.checked_add(1)?.checked_mul(128)?) | usize::from(byte & 0x7f);
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], id_bytes: usize) -> Option<Vec<(RepositoryPath, Version)>> {
        let mut found = vec![];
        let form = read_index(bytes, id_bytes, |entry| {
            found.push((entry.path.to_owned(), entry.version()));
        });
        (form? == Form::Whole).then_some(found)
    }

    #[test]
    fn a_written_index_can_be_read() {
        for id_bytes in [20, 32] {
            let version = |mode: &str| Version::new(mode, &"ab".repeat(id_bytes));
            let files: Vec<_> = (1..40)
                .map(|length| (vec![b'a'; length], version("100644")))
                .chain([(vec![b'b'; 5000], version("120000"))])
                .collect();
            let absent = (b"c".to_vec(), Version::Absent);
            let all = files.iter().chain([&absent]).map(|(path, version)| (path, version));
            let bytes = write_index(all, id_bytes).unwrap();
            assert_eq!(read(&bytes, id_bytes), Some(files));
        }
    }

    #[test]
    fn a_damaged_index_is_not_read() {
        let version = Version::new("100644", &"ab".repeat(20));
        let path = b"path".to_vec();
        let bytes = write_index([(&path, &version)].into_iter(), 20).unwrap();
        for end in [0, 4, 11, 40, bytes.len() - 21] {
            assert_eq!(read(&bytes[..end], 20), None, "{end}");
        }
        for (at, byte) in [(0, b'X'), (7, 5), (11, 2)] {
            let mut damaged = bytes.clone();
            damaged[at] = byte;
            assert_eq!(read(&damaged, 20), None, "{at}");
        }
        let odd = Version::new("100644", "unreadable-1");
        assert_eq!(write_index([(&path, &odd)].into_iter(), 20), None);
    }
}
