//! A file's version as git records it, and the differences between two trees.

use std::collections::BTreeMap;
use std::fmt;

/// A file's version as git records it. Used only for comparison.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    Absent,
    /// The file exists. `id` is the id of the blob, link or submodule. For a file that can't be
    /// read, `id` is made from other data that changes with the file.
    Present {
        mode: String,
        id: String,
    },
}

/// A path in the repository, as git stores it. It may contain any bytes.
pub(crate) type RepositoryPath = Vec<u8>;

/// The two versions of a file at a path where two trees differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) base: Version,
    pub(crate) now: Version,
}

pub(crate) type Differences = BTreeMap<RepositoryPath, Difference>;

impl Version {
    /// Creates a version from git's mode and id. A mode of zeros means that there is no file.
    pub(crate) fn new(mode: &str, id: &str) -> Self {
        if mode.bytes().all(|byte| byte == b'0') {
            return Self::Absent;
        }
        Self::Present { mode: mode.to_owned(), id: id.to_owned() }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == "-" {
            return Some(Self::Absent);
        }
        let (mode, id) = text.split_once(' ')?;
        Some(Self::Present { mode: mode.to_owned(), id: id.to_owned() })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("-"),
            Self::Present { mode, id } => write!(f, "{mode} {id}"),
        }
    }
}

/// Parses the output of `diff-index --raw -z` and similar commands: `:mode mode id id letter`, then
/// the path. Leaves out paths with an unfinished merge, because the output doesn't have their
/// version.
pub(crate) fn parse_raw(answer: &[u8]) -> Option<Differences> {
    let mut fields = answer.split(|byte| *byte == 0);
    let mut differences = Differences::new();
    while let Some(head) = fields.next().filter(|head| !head.is_empty()) {
        let path = fields.next()?.to_owned();
        let head = std::str::from_utf8(head.strip_prefix(b":")?).ok()?;
        let parts: Vec<_> = head.split(' ').collect();
        let [base_mode, mode, base_id, id, letter] = parts[..] else { return None };
        if letter != "U" {
            let base = Version::new(base_mode, base_id);
            differences.insert(path, Difference { base, now: Version::new(mode, id) });
        }
    }
    Some(differences)
}

/// A commit's id and its changed files, by path.
pub(crate) type CommitChanges = (String, BTreeMap<RepositoryPath, Version>);

/// Parses the output of `diff-tree --stdin -c --raw -z`: the commit's id, then a header and a path
/// for each file. A commit with several parents has one colon per parent, and the modes and ids of
/// each parent come before those of the commit.
pub(crate) fn parse_commits(answer: &[u8]) -> Option<Vec<CommitChanges>> {
    let mut commits: Vec<CommitChanges> = vec![];
    let mut fields = answer.split(|byte| *byte == 0);
    while let Some(field) = fields.next().filter(|field| !field.is_empty()) {
        let text = std::str::from_utf8(field).ok()?;
        let parents = text.bytes().take_while(|byte| *byte == b':').count();
        if parents == 0 {
            commits.push((text.to_owned(), BTreeMap::new()));
            continue;
        }
        let words: Vec<_> = text[parents..].split(' ').collect();
        let (mode, id) = (words.get(parents)?, words.get(2 * parents + 1)?);
        let (_, changes) = commits.last_mut()?;
        changes.insert(fields.next()?.to_owned(), Version::new(mode, id));
    }
    Some(commits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn present(mode: &str, id: &str) -> Version {
        Version::Present { mode: mode.to_owned(), id: id.to_owned() }
    }

    #[test]
    fn a_version_reads_as_it_was_written() {
        for version in [Version::Absent, present("100644", "ab12"), present("160000", "0")] {
            assert_eq!(Version::parse(&version.to_string()), Some(version));
        }
        assert_eq!(Version::parse("100644"), None);
    }

    #[test]
    fn raw_differences_are_read() {
        let answer = b":000000 100644 00 aa A\0new\nfile\0:100644 000000 bb 00 D\0old\0\
            :000000 000000 00 00 U\0both\0:100644 100755 cc cc M\0\xff\0";
        let expected = [
            (b"new\nfile".to_vec(), Version::Absent, present("100644", "aa")),
            (b"old".to_vec(), present("100644", "bb"), Version::Absent),
            (b"\xff".to_vec(), present("100644", "cc"), present("100755", "cc")),
        ];
        let expected =
            expected.map(|(path, base, now)| (path, Difference { base, now })).into_iter();
        assert_eq!(parse_raw(answer), Some(expected.collect()));
        assert_eq!(parse_raw(b""), Some(Differences::new()));
        for broken in [&b":100644"[..], b"100644 100644 a b M\0x\0", b":1 2 3\0x\0"] {
            assert_eq!(parse_raw(broken), None);
        }
    }

    #[test]
    fn changes_of_commits_are_read() {
        let answer = b"c1\0:100644 000000 aa 00 D\0gone\0c2\0c3\0\
            ::100644 100644 100755 aa bb cc MM\0both\0";
        let expected = [
            ("c1", vec![("gone", Version::Absent)]),
            ("c2", vec![]),
            ("c3", vec![("both", present("100755", "cc"))]),
        ];
        let expected = expected.map(|(id, changes)| {
            let changes = changes.into_iter();
            (id.to_owned(), changes.map(|(path, found)| (path.into(), found)).collect())
        });
        assert_eq!(parse_commits(answer), Some(expected.to_vec()));
        assert_eq!(parse_commits(b":100644 100644 a b M\0early\0"), None);
    }
}
