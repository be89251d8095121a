//! Parses the output of `git status` in its stable porcelain format.

use std::collections::BTreeMap;

use crate::version::{Difference, Differences, RepositoryPath, Version};

/// The arguments of `git status`. It doesn't count the commits ahead, because that can take long.
/// It reports a rename as a deleted and an added file.
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

/// A path whose file differs from the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Dirty {
    /// The path is an existing file, link or submodule. `index` is absent for an untracked file.
    There {
        index: Version,
    },
    Gone {
        index: Version,
    },
    /// The path has an unfinished merge. The index has several versions of it.
    Unmerged,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// The checked-out commit. `None` on a branch without commits.
    pub(crate) head: Option<String>,
    /// The paths at which the index differs from the commit. A path with an unfinished merge has no
    /// version here.
    pub(crate) staged: Differences,
    /// For each path with an unfinished merge, its versions in the index: the common ancestor,
    /// ours, theirs.
    pub(crate) unmerged: BTreeMap<RepositoryPath, [Version; 3]>,
    /// Paths of untracked repositories inside of the repository.
    pub(crate) nested: Vec<RepositoryPath>,
    pub(crate) dirty: BTreeMap<RepositoryPath, Dirty>,
    /// The lines of the output about attribute files, which determine how other files are converted
    /// before they are hashed.
    pub(crate) attributes: Vec<u8>,
}

impl Status {
    /// Parses the output. `None` if it doesn't begin with the commit, as every output of
    /// `git status` does.
    pub(crate) fn parse(answer: &[u8]) -> Option<Self> {
        if !answer.starts_with(b"# branch.oid ") {
            return None;
        }
        let mut status = Self::default();
        for line in answer.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let path = match line.split_at_checked(2)? {
                (b"# ", header) => {
                    status.read_header(header);
                    continue;
                }
                (b"? ", path) if path.ends_with(b"/") => {
                    status.nested.push(path[..path.len() - 1].to_owned());
                    continue;
                }
                (b"? ", path) => {
                    let untracked = Dirty::There { index: Version::Absent };
                    status.dirty.insert(path.to_owned(), untracked);
                    path
                }
                (b"1 ", rest) => status.read_tracked(rest)?,
                (b"u ", rest) => status.read_unmerged(rest)?,
                _ => return None,
            };
            if is_attributes(path) {
                status.attributes.extend_from_slice(line);
                status.attributes.push(0);
            }
        }
        status.mark_unreachable();
        Some(status)
    }

    /// Git doesn't report a staged file if a circular link is in its path. So a staged file below
    /// an untracked path that isn't a directory is marked as gone.
    fn mark_unreachable(&mut self) {
        let untracked = |state: &Dirty| *state == Dirty::There { index: Version::Absent };
        let mut gone = vec![];
        for (path, _) in self.dirty.iter().filter(|(_, state)| untracked(state)) {
            let below = [path, &b"/"[..]].concat();
            let staged = self.staged.range(below.clone()..);
            let staged = staged.take_while(|(path, _)| path.starts_with(&below));
            let staged = staged.filter(|(_, found)| found.now != Version::Absent);
            gone.extend(staged.map(|(path, found)| (path.clone(), found.now.clone())));
        }
        for (path, index) in gone {
            self.dirty.insert(path, Dirty::Gone { index });
        }
    }

    fn read_header(&mut self, header: &[u8]) {
        let id = header.strip_prefix(b"branch.oid ").and_then(|id| std::str::from_utf8(id).ok());
        if let Some(id) = id.filter(|id| id.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            self.head = Some(id.to_owned());
        }
    }

    /// Parses a line about a tracked file: `XY sub mH mI mW hH hI path`.
    fn read_tracked<'a>(&mut self, line: &'a [u8]) -> Option<&'a [u8]> {
        let (fields, path) = split_fields(line, 7)?;
        let [letters, _, mode_head, mode_index, _, id_head, id_index] = fields[..] else {
            return None;
        };
        let base = Version::new(mode_head, id_head);
        let index = Version::new(mode_index, id_index);
        if !letters.starts_with('.') {
            self.staged.insert(path.to_owned(), Difference { base, now: index.clone() });
        }
        let dirty = match letters.as_bytes().get(1)? {
            b'.' => return Some(path),
            b'D' => Dirty::Gone { index },
            _ => Dirty::There { index },
        };
        self.dirty.insert(path.to_owned(), dirty);
        Some(path)
    }

    /// Parses a line about an unfinished merge: `XY sub m1 m2 m3 mW h1 h2 h3 path`. The second
    /// version is that of the commit.
    fn read_unmerged<'a>(&mut self, line: &'a [u8]) -> Option<&'a [u8]> {
        let (fields, path) = split_fields(line, 9)?;
        let [_, _, mode_1, mode_2, mode_3, _, id_1, id_2, id_3] = fields[..] else { return None };
        let base = Version::new(mode_2, id_2);
        let stages = [Version::new(mode_1, id_1), base.clone(), Version::new(mode_3, id_3)];
        self.unmerged.insert(path.to_owned(), stages);
        self.staged.insert(path.to_owned(), Difference { base, now: Version::Absent });
        self.dirty.insert(path.to_owned(), Dirty::Unmerged);
        Some(path)
    }
}

pub(crate) fn is_attributes(path: &[u8]) -> bool {
    path.ends_with(b".gitattributes")
}

/// Splits off the first `count` fields of a line. The rest is the path, which may contain spaces.
fn split_fields(line: &[u8], count: usize) -> Option<(Vec<&str>, &[u8])> {
    let path = line.splitn(count + 1, |byte| *byte == b' ').nth(count)?;
    let head = std::str::from_utf8(line.strip_suffix(path)?).ok()?;
    Some((head.split_terminator(' ').collect(), path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_is_read() {
        let answer = b"# branch.oid abc123\0# branch.head main\0\
            1 .M N... 100644 100644 100755 bb bb a b c\0\
            1 M. N... 100644 100644 100644 aa bb staged\0\
            1 MD N... 100644 100644 000000 aa bb gone\0\
            1 .A N... 000000 000000 100644 00 00 intended\0\
            1 D. N... 100644 000000 000000 aa 00 untracked\0\
            u UU N... 100644 100644 100644 100644 aa bb cc both sides\0\
            ? new\xff\0? nested/\0? untracked\0";
        let version = |id| Version::new("100644", id);
        let (aa, bb, absent) = (version("aa"), version("bb"), Version::Absent);
        let there = |index: &Version| Dirty::There { index: index.clone() };
        let dirty = [
            (b"a b c".to_vec(), there(&bb)),
            (b"gone".to_vec(), Dirty::Gone { index: bb.clone() }),
            (b"intended".to_vec(), there(&absent)),
            (b"both sides".to_vec(), Dirty::Unmerged),
            (b"new\xff".to_vec(), there(&absent)),
            (b"untracked".to_vec(), there(&absent)),
        ];
        let staged = |path: &[u8], base: &Version, now: &Version| {
            (path.to_vec(), Difference { base: base.clone(), now: now.clone() })
        };
        let staged = [
            staged(b"both sides", &bb, &absent),
            staged(b"gone", &aa, &bb),
            staged(b"staged", &aa, &bb),
            staged(b"untracked", &aa, &absent),
        ];
        let expected = Status {
            head: Some("abc123".to_owned()),
            staged: staged.into(),
            unmerged: [(b"both sides".to_vec(), ["aa", "bb", "cc"].map(version))].into(),
            nested: vec![b"nested".to_vec()],
            dirty: dirty.into(),
            attributes: vec![],
        };
        assert_eq!(Status::parse(answer), Some(expected));
    }

    #[test]
    fn below_what_is_no_directory_there_is_no_file() {
        let answer = b"# branch.oid abc123\0\
            1 A. N... 000000 100644 100644 00 aa dir/deep/staged\0\
            1 A. N... 000000 100644 100644 00 aa dir2/staged\0\
            1 D. N... 100644 000000 000000 aa 00 dir/removed\0? dir\0";
        let there = Dirty::There { index: Version::Absent };
        let gone = Dirty::Gone { index: Version::new("100644", "aa") };
        let expected = [(b"dir".to_vec(), there), (b"dir/deep/staged".to_vec(), gone)];
        assert_eq!(Status::parse(answer).unwrap().dirty, expected.into());
    }

    #[test]
    fn a_branch_without_commits_has_no_head_and_attributes_are_noticed() {
        let status = Status::parse(b"# branch.oid (initial)\0? sub/.gitattributes\0").unwrap();
        assert_eq!((status.head, status.attributes), (None, b"? sub/.gitattributes\0".to_vec()));
    }

    #[test]
    fn invalid_output_is_not_parsed() {
        let head = b"# branch.oid abc123\0";
        for broken in [&b"1 .M N... 100644"[..], b"2 R. x", b"x", b"u UU N... 1 2 x"] {
            assert_eq!(Status::parse(&[head, broken].concat()), None);
        }
        for no_answer_of_git in [&b""[..], b"? untracked\0", b"# branch.head main\0"] {
            assert_eq!(Status::parse(no_answer_of_git), None);
        }
    }
}
