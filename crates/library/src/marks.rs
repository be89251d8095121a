//! The marks of several files, and their binary encoding.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::mark::Mark;

/// A list of files, each with its mark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks(pub(crate) Vec<(PathBuf, Mark)>);

impl Marks {
    pub(crate) fn of(&self, path: &Path) -> Option<&Mark> {
        self.0.iter().find(|(known, _)| known == path).map(|(_, mark)| mark)
    }

    /// Whether all files of `other` were read at least as far here as there.
    pub(crate) fn reach(&self, other: &Self) -> bool {
        other.0.iter().all(|(path, mark)| self.of(path).is_some_and(|here| here.len >= mark.len))
    }

    /// The number of bytes of a file that were not read yet. A file that only grew is read from its
    /// mark on.
    pub(crate) fn unread(&self, path: &Path) -> u64 {
        let Ok(metadata) = path.metadata() else { return 0 };
        match self.of(path) {
            Some(mark) if mark.is_of(&metadata) => 0,
            Some(mark) if metadata.len() > mark.len => metadata.len() - mark.len,
            Some(_) | None => metadata.len(),
        }
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = vec![];
        for (path, mark) in &self.0 {
            put(&mut bytes, path.as_os_str().as_bytes());
            let Mark { len, lines, modified, tail } = mark;
            for number in [*len, *lines as u64, *modified, u64::from(*tail)] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes
    }

    /// Decodes the bytes that [`Self::write`] returned. `None` if they have another form.
    pub(crate) fn read(mut rest: &[u8]) -> Option<Self> {
        let mut marks = vec![];
        while !rest.is_empty() {
            let path = PathBuf::from(OsString::from_vec(take(&mut rest)?.to_vec()));
            let mut number = || take_number(&mut rest);
            let (len, lines, modified) = (number()?, number()?, number()?);
            let tail = u32::try_from(number()?).ok()?;
            let lines = usize::try_from(lines).ok()?;
            marks.push((path, Mark { len, lines, modified, tail }));
        }
        Some(Self(marks))
    }
}

/// Appends bytes after their length.
pub(crate) fn put(bytes: &mut Vec<u8>, text: &[u8]) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text);
}

/// Reads bytes that [`put`] wrote.
pub(crate) fn take<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
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
    fn written_marks_are_read_and_other_bytes_are_not() {
        let mark = Mark { len: 7, lines: 2, modified: 9, tail: 1 };
        let marks = Marks(vec![("/a/b.md".into(), mark), ("/c".into(), mark)]);
        let written = marks.write();
        assert_eq!(Marks::read(&written), Some(marks.clone()));
        for cut in 0..written.len() {
            assert_ne!(Marks::read(&written[..cut]), Some(marks.clone()), "{cut}");
        }
        assert_eq!(Marks::read(&[0xff; 8]), None);
        let further = Marks(vec![("/a/b.md".into(), Mark { len: 8, ..mark }), ("/c".into(), mark)]);
        assert!(further.reach(&marks) && !marks.reach(&further) && marks.reach(&marks));
        assert!(marks.reach(&Marks::default()) && !Marks::default().reach(&marks));
    }
}
