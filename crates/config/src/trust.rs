//! The user's trust list. The list contains project files, each with its path and the hash of its
//! content. It also contains worktrees in which agents may build and test without asking.
//!
//! A copy of a trusted file at another path is not trusted, and neither is a file whose content has
//! changed.

use serde::{Deserialize, Serialize};

use crate::MAX_FILE_BYTES;
use crate::layers::ProjectTrust;

/// The version of the list's format. Increment it when the meaning of a list changes. A list of
/// another version trusts nothing.
const VERSION: u32 = 1;

/// A trusted file of a project, with the hash of its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedFile {
    /// The canonical path of the file.
    pub file: String,
    /// The hash of the file's content, in hexadecimal digits.
    pub sha256: String,
    pub trusted_at_ms: u64,
}

/// A worktree in which agents may build and test without asking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedWorktree {
    /// The canonical path of the worktree's root.
    pub root: String,
    pub trusted_at_ms: u64,
}

/// The user's trust list: files and worktrees, the oldest first. Each path has one entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustList {
    files: Vec<TrustedFile>,
    worktrees: Vec<TrustedWorktree>,
}

/// The reason why the trust list can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrustFault {
    #[error("it is larger than {MAX_FILE_BYTES} bytes")]
    TooLarge,
    #[error("line {line} is not in the format that verger writes")]
    Malformed { line: usize },
    #[error("it has version {version}, written by another version of verger")]
    Version { version: u32 },
}

#[derive(Deserialize)]
struct StoredVersion {
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    trusted: Vec<TrustedFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    worktrees: Vec<TrustedWorktree>,
}

impl TrustList {
    pub fn parse(bytes: &[u8]) -> Result<Self, TrustFault> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(TrustFault::TooLarge);
        }
        let malformed = |error: serde_json::Error| TrustFault::Malformed { line: error.line() };
        let StoredVersion { version } = serde_json::from_slice(bytes).map_err(malformed)?;
        if version != VERSION {
            return Err(TrustFault::Version { version });
        }
        let stored: Stored = serde_json::from_slice(bytes).map_err(malformed)?;
        Ok(Self { files: stored.trusted, worktrees: stored.worktrees })
    }

    /// Formats the list as the content of its file, which people can read.
    pub fn render(&self) -> Result<String, TrustFault> {
        let Self { files, worktrees } = self.clone();
        let stored = Stored { version: VERSION, trusted: files, worktrees };
        // Strings and numbers can always be serialized.
        let mut text = serde_json::to_string_pretty(&stored).unwrap_or_default();
        text.push('\n');
        if text.len() > MAX_FILE_BYTES { Err(TrustFault::TooLarge) } else { Ok(text) }
    }

    pub fn trust_in(&self, file: &str, sha256: &str) -> ProjectTrust {
        let is_it = |trusted: &TrustedFile| trusted.file == file && trusted.sha256 == sha256;
        if self.files.iter().any(is_it) { ProjectTrust::Trusted } else { ProjectTrust::Untrusted }
    }

    /// Adds a file with its current content to the list. Replaces an earlier entry with the same
    /// path.
    pub fn trust(&mut self, file: TrustedFile) {
        self.files.retain(|known| known.file != file.file);
        self.files.push(file);
    }

    /// Removes the files for which `is_meant` returns true, and returns them.
    pub fn revoke(&mut self, is_meant: impl Fn(&TrustedFile) -> bool) -> Vec<TrustedFile> {
        let (revoked, kept) = std::mem::take(&mut self.files).into_iter().partition(is_meant);
        self.files = kept;
        revoked
    }

    pub fn iter(&self) -> impl Iterator<Item = &TrustedFile> {
        self.files.iter()
    }

    /// Whether the worktree with this canonical root is trusted. A worktree inside of a trusted
    /// worktree needs its own entry.
    pub fn trusts_worktree(&self, root: &str) -> bool {
        self.worktrees.iter().any(|known| known.root == root)
    }

    /// Adds a worktree to the list. Replaces an earlier entry with the same root.
    pub fn trust_worktree(&mut self, worktree: TrustedWorktree) {
        self.worktrees.retain(|known| known.root != worktree.root);
        self.worktrees.push(worktree);
    }

    /// Removes the worktrees for which `is_meant` returns true, and returns them.
    pub fn revoke_worktrees(
        &mut self,
        is_meant: impl Fn(&TrustedWorktree) -> bool,
    ) -> Vec<TrustedWorktree> {
        let (revoked, kept) = std::mem::take(&mut self.worktrees).into_iter().partition(is_meant);
        self.worktrees = kept;
        revoked
    }

    pub fn worktrees(&self) -> impl Iterator<Item = &TrustedWorktree> {
        self.worktrees.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(file: &str, sha256: &str) -> TrustedFile {
        TrustedFile { file: file.to_owned(), sha256: sha256.to_owned(), trusted_at_ms: 7 }
    }

    fn list(entries: &[(&str, &str)]) -> TrustList {
        let mut list = TrustList::default();
        for (file, sha256) in entries {
            list.trust(entry(file, sha256));
        }
        list
    }

    #[test]
    fn only_the_same_content_at_the_same_place_is_trusted() {
        use ProjectTrust::{Trusted, Untrusted};
        let list = list(&[("/a", "11"), ("/b", "22"), ("/a", "33")]);
        for (file, sha256, expected) in [
            ("/a", "33", Trusted),
            ("/b", "22", Trusted),
            ("/a", "11", Untrusted),
            ("/a", "22", Untrusted),
            ("/a/", "33", Untrusted),
            ("/A", "33", Untrusted),
            ("/c", "33", Untrusted),
            ("", "", Untrusted),
        ] {
            assert_eq!(list.trust_in(file, sha256), expected, "{file} {sha256}");
        }
        assert_eq!(TrustList::default().trust_in("", ""), Untrusted);
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let mut whole = list(&[("/a", "11"), ("/b \"c\"\n", "22")]);
        assert_eq!(TrustList::parse(whole.render().unwrap().as_bytes()), Ok(whole.clone()));
        assert_eq!(whole.revoke(|entry| entry.file == "/a"), [entry("/a", "11")]);
        assert_eq!(whole.iter().collect::<Vec<_>>(), [&entry("/b \"c\"\n", "22")]);
        insta::assert_snapshot!(whole.render().unwrap(), @r#"
        {
          "version": 1,
          "trusted": [
            {
              "file": "/b \"c\"\n",
              "sha256": "22",
              "trusted_at_ms": 7
            }
          ]
        }
        "#);
    }

    #[test]
    fn a_worktree_is_trusted_by_its_top_alone() {
        let mut list = list(&[("/a", "11")]);
        let worktree = |root: &str| TrustedWorktree { root: root.to_owned(), trusted_at_ms: 7 };
        list.trust_worktree(worktree("/w"));
        list.trust_worktree(worktree("/x"));
        list.trust_worktree(worktree("/w"));
        assert!(list.trusts_worktree("/w") && list.trusts_worktree("/x"));
        assert!(!list.trusts_worktree("/w/inner") && !list.trusts_worktree("/"));
        assert_eq!(TrustList::parse(list.render().unwrap().as_bytes()), Ok(list.clone()));
        assert_eq!(list.revoke_worktrees(|known| known.root == "/x"), [worktree("/x")]);
        assert_eq!(list.worktrees().collect::<Vec<_>>(), [&worktree("/w")]);
    }

    #[test]
    fn invalid_trust_lists_are_rejected() {
        let long = "x".repeat(MAX_FILE_BYTES);
        for (text, expected) in [
            ("", TrustFault::Malformed { line: 1 }),
            ("{\"version\": 1}", TrustFault::Malformed { line: 1 }),
            ("{\"version\": 1,\n\"trusted\": [", TrustFault::Malformed { line: 2 }),
            (
                "{\"version\": 1, \"trusted\": [{\"file\": \"/a\"}]}",
                TrustFault::Malformed { line: 1 },
            ),
            ("{\"version\": 2, \"trusted\": {}}", TrustFault::Version { version: 2 }),
            (&format!("{{\"version\": 1}}{long}"), TrustFault::TooLarge),
        ] {
            assert_eq!(TrustList::parse(text.as_bytes()), Err(expected), "{text:.40}");
        }
        assert_eq!(list(&[(&long, "11")]).render(), Err(TrustFault::TooLarge));
    }
}
