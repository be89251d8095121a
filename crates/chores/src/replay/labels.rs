//! Reads the optional label files, in which a person judged findings, limits and messages of the
//! sessions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::replay::{ReplayError, read_text};

/// The labels from all given files.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    pub(crate) episodes: Vec<EpisodeLabel>,
    pub(crate) limits: Vec<LimitLabel>,
    /// The labels of messages, by the digest of the message. If several files label a message, the
    /// last file takes precedence.
    pub(crate) claims: BTreeMap<String, Vec<ClaimLabel>>,
}

/// A person's label of a drift finding.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct EpisodeLabel {
    pub(crate) session: String,
    pub(crate) reasons: Vec<String>,
    pub(crate) label: String,
}

/// A person's label of a prompt, with the limits detected in it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct LimitLabel {
    pub(crate) session: String,
    pub(crate) prompt: String,
    pub(crate) constraints: Vec<String>,
    pub(crate) label: String,
}

impl LimitLabel {
    pub(crate) fn is_right(&self) -> bool {
        self.label.starts_with("right")
    }

    pub(crate) fn is_wrong(&self) -> bool {
        self.label.starts_with("wrong")
    }
}

/// A person's label of a message: whether it claims completion, and its language if the file has
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClaimLabel {
    pub(crate) claim: bool,
    pub(crate) language: Option<String>,
    /// The label file from which the label comes. If the file has data splits, also the split.
    pub(crate) source: String,
}

#[derive(Deserialize)]
struct MessageLine {
    msg: String,
    label: Option<bool>,
}

#[derive(Deserialize)]
struct DigestLine {
    digest: String,
    claim: bool,
    language: Option<String>,
    /// The data split that the line belongs to, such as the held-out split.
    half: Option<String>,
}

impl Labels {
    /// Reads the label files that exist in the directory `folder`, and the files in `further`.
    pub(crate) fn read(folder: &Path, further: &[PathBuf]) -> Result<Self, ReplayError> {
        let mut labels = Self {
            episodes: lines_if_there(&folder.join("episodes.jsonl"))?,
            limits: lines_if_there(&folder.join("constraints.jsonl"))?,
            claims: BTreeMap::new(),
        };
        let messages: Vec<MessageLine> = lines_if_there(&folder.join("claims.jsonl"))?;
        for MessageLine { msg, label } in messages {
            let Some(claim) = label else { continue };
            let source = "claims.jsonl of the sessions".to_owned();
            let label = ClaimLabel { claim, language: None, source };
            labels.claims.entry(digest(&msg)).or_default().push(label);
        }
        for path in further {
            let lines: Vec<DigestLine> = lines(path)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            for DigestLine { digest, claim, language, half } in lines {
                let part = half.map(|half| format!(" ({half})")).unwrap_or_default();
                let label = ClaimLabel { claim, language, source: format!("{name}{part}") };
                labels.claims.entry(digest).or_default().push(label);
            }
        }
        Ok(labels)
    }
}

/// The first 16 hex digits of a message's SHA-256. Labels use it to identify messages.
pub(crate) fn digest(message: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(message.as_bytes()).iter().take(8) {
        // Writing to a String cannot fail.
        write!(hex, "{byte:02x}").unwrap_or_default();
    }
    hex
}

fn lines_if_there<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, ReplayError> {
    if path.exists() { lines(path) } else { Ok(Vec::new()) }
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, ReplayError> {
    let text = read_text(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = lines.map(|(index, line)| {
        serde_json::from_str(line).map_err(|source| ReplayError::NotALabel {
            path: path.to_owned(),
            line: index + 1,
            source,
        })
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_may_be_labelled_in_several_files() {
        let folder = tempfile::tempdir().unwrap();
        let lines =
            "{\"msg\": \"All done.\", \"label\": true}\n{\"msg\": \"Hm.\", \"label\": null}\n";
        fs::write(folder.path().join("claims.jsonl"), lines).unwrap();
        let name = digest("All done.");
        assert_eq!(name, "e3120d618df2f1ba");
        let ours = folder.path().join("ours.jsonl");
        let line = json!({ "digest": name, "claim": false, "language": "en", "half": "kept" });
        fs::write(&ours, format!("{line}\n")).unwrap();
        let labels = Labels::read(folder.path(), &[ours]).unwrap();
        let source = "claims.jsonl of the sessions".to_owned();
        let first = ClaimLabel { claim: true, language: None, source };
        let source = "ours.jsonl (kept)".to_owned();
        let second = ClaimLabel { claim: false, language: Some("en".to_owned()), source };
        assert_eq!(labels.claims, BTreeMap::from([(name, vec![first, second])]));
    }
}
