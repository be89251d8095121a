//! The metadata of an undo point: one line of JSON in the message of its commit.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use verger_event::EventId;

use crate::project::path_from;
use crate::version::RepositoryPath;

/// The version of the metadata format. Readers skip metadata of another version.
const FORM: u32 = 1;
const TITLE: &str = "Undo point of verger";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) form: u32,
    /// The top level of the saved working tree.
    #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
    pub(super) root: PathBuf,
    /// The commit that was checked out. `None` on a branch without commits.
    pub(super) head: Option<String>,
    pub(super) branch: Option<String>,
    pub(super) session: Option<String>,
    pub(super) on: Option<EventId>,
    pub(super) why: String,
    /// A hash of everything that the point contains, and of the list of left-out files.
    pub(super) content: String,
    /// Whether the index differed from the checked-out commit.
    pub(super) has_index: bool,
    /// Whether a merge was unfinished when the point was saved.
    pub(super) has_unmerged: bool,
    pub(super) left_out: Vec<LeftOut>,
    /// The number of left-out files that `left_out` doesn't name.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) more_left_out: u64,
}

/// A file that an undo point doesn't contain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
    pub path: PathBuf,
    #[serde(flatten)]
    pub reason: Reason,
}

/// The reason why an undo point doesn't contain a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// The file has credentials or may have them.
    Protected,
    TooLarge {
        bytes: u64,
    },
    /// The point has reached its total size limit.
    NoRoom {
        bytes: u64,
    },
    /// The time limit was reached before the file was read.
    NoTime,
    Unreadable,
    /// The path is the top level of another repository.
    Repository,
    /// The directory has too many files to read.
    TooMany,
    /// The path is on another disk, or on a file system without a disk.
    Elsewhere,
}

impl About {
    pub(super) fn new(root: PathBuf, content: String) -> Self {
        Self {
            form: FORM,
            root,
            head: None,
            branch: None,
            session: None,
            on: None,
            why: String::new(),
            content,
            has_index: false,
            has_unmerged: false,
            left_out: vec![],
            more_left_out: 0,
        }
    }

    pub(super) fn message(&self) -> String {
        let line = serde_json::to_string(self).unwrap_or_default();
        format!("{TITLE}\n\n{line}\n")
    }

    /// Parses the metadata line of a commit message.
    pub(super) fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().filter(|about: &Self| about.form == FORM)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Protected => f.write_str("may hold credentials"),
            Self::TooLarge { bytes } => write!(f, "too large: {bytes} bytes"),
            Self::NoRoom { bytes } => write!(f, "no room left for its {bytes} bytes"),
            Self::NoTime => f.write_str("no time left to read it"),
            Self::Unreadable => f.write_str("cannot be read"),
            Self::Repository => f.write_str("a repository of its own"),
            Self::TooMany => f.write_str("it has too many files"),
            Self::Elsewhere => f.write_str("on another file system"),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
pub(super) fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Writes a path as text. JSON can't store arbitrary bytes, so bytes that aren't UTF-8 are written
/// as `%` and two hexadecimal digits.
pub(super) fn write_path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(&chunk.valid().replace('%', "%25"));
        text.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02x}")));
    }
    serializer.serialize_str(&text)
}

pub(super) fn read_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    let text = String::deserialize(deserializer)?;
    let path = unescaped(text.as_bytes()).and_then(|bytes| path_from(&bytes));
    path.ok_or_else(|| serde::de::Error::custom("not a path"))
}

fn unescaped(mut text: &[u8]) -> Option<RepositoryPath> {
    let mut bytes = vec![];
    while let Some((first, rest)) = text.split_first() {
        text = rest;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, rest) = text.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        text = rest;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_of_a_point_survives_a_round_trip() {
        let left_out = [(&b"a b%25"[..], Reason::Protected), (b"\xff\n\"", Reason::Unreadable)];
        let left_out =
            left_out.map(|(path, reason)| LeftOut { path: path_from(path).unwrap(), reason });
        let large = LeftOut { path: "large".into(), reason: Reason::TooLarge { bytes: 7 } };
        let about = About {
            head: Some("abc".to_owned()),
            has_index: true,
            left_out: left_out.into_iter().chain([large]).collect(),
            more_left_out: 3,
            ..About::new(path_from(b"/wo\xffrk\n").unwrap(), "hash".to_owned())
        };
        let message = about.message();
        let line = message.strip_prefix("Undo point of verger\n\n").unwrap();
        assert_eq!(line.trim_end().lines().count(), 1);
        assert_eq!(About::parse(line), Some(about));
    }

    #[test]
    fn metadata_of_another_form_is_not_parsed() {
        for line in ["", "{}", &About::new(PathBuf::new(), String::new()).message()] {
            assert_eq!(About::parse(line), None);
        }
        let newer = About { form: 2, ..About::new(PathBuf::new(), String::new()) };
        assert_eq!(About::parse(&serde_json::to_string(&newer).unwrap()), None);
    }
}
