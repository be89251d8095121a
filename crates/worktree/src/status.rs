//! What `git status` says about a working tree, in the form it promises to keep.

use std::collections::BTreeMap;

use crate::version::{RepositoryPath, Version};

/// What is asked. Counting how far a branch is ahead could take long, and a renamed file is one that
/// went and one that came.
pub(crate) const STATUS: &[&str] = &[
    "status",
    "--porcelain=v2",
    "-z",
    "--branch",
    "--no-ahead-behind",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=dirty",
];

/// A path whose file is not what the index holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Dirty {
    /// A file, link or submodule to be looked at. `index` is absent for an untracked file.
    There {
        index: Version,
    },
    Gone {
        index: Version,
    },
    /// A merge is not finished here. The index holds several versions.
    Unmerged,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// The commit that is checked out; none on a branch without commits.
    pub(crate) head: Option<String>,
    /// Paths that differ only between commit and index are left out, and so are repositories
    /// inside the repository: they are their own.
    pub(crate) dirty: BTreeMap<RepositoryPath, Dirty>,
    /// What it says about files that tell how others are converted before they are hashed.
    pub(crate) attributes: Vec<u8>,
}

impl Status {
    pub(crate) fn parse(answer: &[u8]) -> Option<Self> {
        let mut status = Self::default();
        for line in answer.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let (path, state) = match line.split_at_checked(2)? {
                (b"# ", header) => {
                    status.read_header(header);
                    continue;
                }
                (b"1 ", rest) => parse_tracked(rest)?,
                (b"u ", rest) => (nth_field(rest, UNMERGED_FIELDS)?, Some(Dirty::Unmerged)),
                (b"? ", path) if path.ends_with(b"/") => continue,
                (b"? ", path) => (path, Some(Dirty::There { index: Version::Absent })),
                _ => return None,
            };
            if is_attributes(path) {
                status.attributes.extend_from_slice(line);
                status.attributes.push(0);
            }
            if let Some(state) = state {
                status.dirty.insert(path.to_owned(), state);
            }
        }
        Some(status)
    }

    fn read_header(&mut self, header: &[u8]) {
        let id = header.strip_prefix(b"branch.oid ").and_then(|id| std::str::from_utf8(id).ok());
        if let Some(id) = id.filter(|id| id.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            self.head = Some(id.to_owned());
        }
    }
}

pub(crate) fn is_attributes(path: &[u8]) -> bool {
    path.ends_with(b".gitattributes")
}

/// `XY sub m1 m2 m3 mW h1 h2 h3` come before the path.
const UNMERGED_FIELDS: usize = 9;
/// `XY sub mH mI mW hH hI` come before the path.
const TRACKED_FIELDS: usize = 7;

fn parse_tracked(line: &[u8]) -> Option<(&[u8], Option<Dirty>)> {
    let path = nth_field(line, TRACKED_FIELDS)?;
    let head = std::str::from_utf8(line.strip_suffix(path)?).ok()?;
    let fields: Vec<_> = head.split_terminator(' ').collect();
    let [letters, _submodule, _mode_head, mode_index, _mode_file, _id_head, id_index] = fields[..]
    else {
        return None;
    };
    let index = Version::new(mode_index, id_index);
    let dirty = match letters.as_bytes().get(1)? {
        b'.' => None,
        b'D' => Some(Dirty::Gone { index }),
        _ => Some(Dirty::There { index }),
    };
    Some((path, dirty))
}

/// What follows the first `count` fields. A path may hold spaces; it is the last.
fn nth_field(line: &[u8], count: usize) -> Option<&[u8]> {
    line.splitn(count + 1, |byte| *byte == b' ').nth(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_is_read() {
        let answer = b"# branch.oid abc123\0# branch.head main\0\
            1 .M N... 100644 100644 100755 aa bb a b c\0\
            1 M. N... 100644 100644 100644 aa bb staged\0\
            1 MD N... 100644 100644 000000 aa bb gone\0\
            1 .A N... 000000 000000 100644 00 00 intended\0\
            u UU N... 100644 100644 100644 100644 aa bb cc both sides\0\
            ? new\xff\0? nested/\0";
        let index = Version::new("100644", "bb");
        let dirty = [
            (b"a b c".to_vec(), Dirty::There { index: index.clone() }),
            (b"gone".to_vec(), Dirty::Gone { index }),
            (b"intended".to_vec(), Dirty::There { index: Version::Absent }),
            (b"both sides".to_vec(), Dirty::Unmerged),
            (b"new\xff".to_vec(), Dirty::There { index: Version::Absent }),
        ];
        let expected =
            Status { head: Some("abc123".to_owned()), dirty: dirty.into(), attributes: vec![] };
        assert_eq!(Status::parse(answer), Some(expected));
    }

    #[test]
    fn a_branch_without_commits_has_no_head_and_attributes_are_noticed() {
        let status = Status::parse(b"# branch.oid (initial)\0? sub/.gitattributes\0").unwrap();
        assert_eq!((status.head, status.attributes), (None, b"? sub/.gitattributes\0".to_vec()));
    }

    #[test]
    fn what_is_not_understood_is_no_status() {
        assert_eq!(Status::parse(b""), Some(Status::default()));
        for broken in [&b"1 .M N... 100644"[..], b"2 R. x", b"x"] {
            assert_eq!(Status::parse(broken), None);
        }
    }
}
