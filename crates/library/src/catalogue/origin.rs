//! What an index was made from, as the index itself keeps it.

use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::mark::Mark;

/// Another number means another form, or other documents: the index is made anew.
const VERSION: u8 = 1;

/// The files that were read, how far, and the statistics.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) sources: Vec<(PathBuf, Mark)>,
    pub(super) standings: Vec<u8>,
}

impl Origin {
    pub(super) fn mark(&self, path: &Path) -> Option<&Mark> {
        self.sources.iter().find(|(known, _)| known == path).map(|(_, mark)| mark)
    }

    /// There is no index, or it is not known what it was made from.
    pub(super) fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        put(&mut bytes, &self.standings);
        for (path, mark) in &self.sources {
            put(&mut bytes, path.as_os_str().as_bytes());
            let Mark { len, lines, modified, tail } = mark;
            for number in [*len, *lines as u64, *modified, u64::from(*tail)] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes
    }

    /// Nothing is known of what was written in another form.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let read = || {
            let mut rest = bytes.strip_prefix(&[VERSION])?;
            let standings = take(&mut rest)?.to_vec();
            let mut sources = vec![];
            while !rest.is_empty() {
                let path = PathBuf::from(std::ffi::OsString::from_vec(take(&mut rest)?.to_vec()));
                let mut number = || take_number(&mut rest);
                let (len, lines, modified) = (number()?, number()?, number()?);
                let tail = u32::try_from(number()?).ok()?;
                let lines = usize::try_from(lines).ok()?;
                sources.push((path, Mark { len, lines, modified, tail }));
            }
            Some(Self { sources, standings })
        };
        read().unwrap_or_default()
    }
}

fn put(bytes: &mut Vec<u8>, text: &[u8]) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text);
}

fn take<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = usize::try_from(take_number(rest)?).ok()?;
    let (taken, left) = rest.split_at_checked(len)?;
    *rest = left;
    Some(taken)
}

fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let (number, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(u64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_anything_else_is_unknown() {
        let mark = Mark { len: 7, lines: 2, modified: 9, tail: 1 };
        let origin = Origin {
            sources: vec![("/a/b.md".into(), mark), ("/c".into(), mark)],
            standings: b"abc".to_vec(),
        };
        let written = origin.write();
        assert_eq!(Origin::read(&written), origin);
        for cut in 0..written.len() {
            let read = Origin::read(&written[..cut]);
            assert_ne!(read, origin, "{cut}");
        }
        for other in [&b""[..], b"\x02", b"\x01\xff\xff\xff\xff\xff\xff\xff\xff"] {
            assert!(Origin::read(other).is_unknown());
        }
    }
}
