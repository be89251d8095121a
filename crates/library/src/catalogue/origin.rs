//! The origin of an index: the sources that it was derived from, and the positions up to which they
//! were read. The index stores its origin.

use std::path::{Path, PathBuf};

use crate::mark::Mark;
use crate::marks::{Marks, put, take};

/// The version of this encoding and of the documents. An index with another version is rebuilt.
const VERSION: u8 = 4;

/// The sources of an index with their marks, and the position in the statistics.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) sources: Marks,
    pub(super) standings: Vec<u8>,
}

impl Origin {
    pub(super) fn mark(&self, path: &Path) -> Option<&Mark> {
        self.sources.of(path)
    }

    pub(super) fn add(&mut self, path: PathBuf, mark: Mark) {
        self.sources.0.push((path, mark));
    }

    /// Whether the origin is unknown, because there is no index or it has another version.
    pub(super) fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        put(&mut bytes, &self.standings);
        bytes.extend(self.sources.write());
        bytes
    }

    /// Decodes an origin. Returns the unknown origin for another version.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let read = || {
            let mut rest = bytes.strip_prefix(&[VERSION])?;
            let standings = take(&mut rest)?.to_vec();
            Some(Self { sources: Marks::read(rest)?, standings })
        };
        read().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_origin_is_read_and_other_bytes_are_unknown() {
        let mark = Mark { len: 7, lines: 2, modified: 9, tail: 1 };
        let sources = Marks(vec![("/a/b.md".into(), mark)]);
        let origin = Origin { sources, standings: b"abc".to_vec() };
        assert_eq!(Origin::read(&origin.write()), origin);
        for other in [&b""[..], b"\x01", b"\x02\xff\xff\xff\xff\xff\xff\xff\xff"] {
            assert!(Origin::read(other).is_unknown());
        }
    }
}
