//! The record of the changes that `verger init` made, so that `verger uninstall` can restore the
//! files exactly.
//!
//! The receipt is optional. Without it, or if the files were changed in another way, verger
//! recognises its entries by their form.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use verger_agent::AgentSpec;
use verger_engine::content_hash;
use verger_event::Timestamp;

use super::places::{OwnPlaces, Places};
use super::transaction::FileChange;
use crate::config::user_file::{self, NotReplaced};

const VERSION: u32 = 2;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    version: u32,
    /// The version of verger that wrote the receipt.
    verger: String,
    /// When verger was registered with each agent, or when that registration last changed.
    written_at_ms: BTreeMap<String, u64>,
    files: Vec<WrittenFile>,
    /// Directories that were created, outer directories first.
    directories: Vec<PathBuf>,
}

/// A file that verger changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenFile {
    /// The name of the agent that the file belongs to.
    agent: String,
    path: PathBuf,
    /// The hash of the content that verger wrote.
    after: String,
    before: Before,
}

/// The state of a file before verger changed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Before {
    Absent,
    /// A file in the directory of backups.
    Backup {
        name: String,
        sha256: String,
    },
}

/// The content of a file before verger changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Original {
    Absent,
    Bytes(Vec<u8>),
}

impl Receipt {
    pub(crate) fn empty() -> Self {
        Self {
            version: VERSION,
            verger: crate::VERSION.to_owned(),
            written_at_ms: BTreeMap::new(),
            files: Vec::new(),
            directories: Vec::new(),
        }
    }

    /// The last receipt, or an empty one if it cannot be read.
    pub(crate) fn read(places: &OwnPlaces) -> Self {
        let bytes = fs::read(&places.receipt).unwrap_or_default();
        let receipt: Option<Self> = serde_json::from_slice(&bytes).ok();
        receipt.filter(|receipt| receipt.version == VERSION).unwrap_or_else(Self::empty)
    }

    /// When verger was registered with an agent, or when that registration last changed.
    pub(crate) fn written_at(&self, agent: &AgentSpec) -> Option<Timestamp> {
        self.written_at_ms.get(agent.name).copied().map(Timestamp::from_millis)
    }

    /// The files of an agent that verger changed.
    pub(crate) fn paths(&self, agent: &AgentSpec) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().filter(|file| file.agent == agent.name);
        files.map(|file| file.path.as_path())
    }

    /// Removes an agent from the receipt. The backups of its files stay as long as verger is
    /// registered with any agent.
    pub(crate) fn forget(&mut self, agent: &AgentSpec) {
        self.written_at_ms.remove(agent.name);
        self.files.retain(|file| file.agent != agent.name);
    }

    /// The part of the receipt that is needed to restore these files later. `None` if verger wrote
    /// none of them.
    pub(crate) fn limited_to<'a>(&self, paths: impl Iterator<Item = &'a Path>) -> Option<Self> {
        let files: Vec<_> = paths.filter_map(|path| self.of(path)).cloned().collect();
        let written_at_ms = BTreeMap::new();
        (!files.is_empty()).then(|| Self { written_at_ms, files, ..self.clone() })
    }

    pub(crate) fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The content of a file before verger changed it. `None` if that is not known for certain.
    pub(crate) fn original(&self, places: &OwnPlaces, path: &Path) -> Option<Original> {
        match &self.of(path)?.before {
            Before::Absent => Some(Original::Absent),
            Before::Backup { name, sha256 } => {
                let bytes = fs::read(places.backups.join(name)).ok()?;
                (content_hash(&bytes) == *sha256).then_some(Original::Bytes(bytes))
            }
        }
    }

    /// Whether a file still has the content that verger wrote.
    pub(crate) fn is_untouched(&self, path: &Path, bytes: Option<&[u8]>) -> bool {
        let written = self.of(path).map(|file| file.after.as_str());
        bytes.is_some_and(|bytes| written == Some(content_hash(bytes).as_str()))
    }

    fn of(&self, path: &Path) -> Option<&WrittenFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Adds changes to the receipt, so that they can be undone. `original` is the content without
    /// verger, if that differs from the current content.
    pub(crate) fn remember(
        &mut self,
        places: &Places,
        changes: &[(FileChange, Original)],
        now_ms: u64,
    ) -> Result<(), NotReplaced> {
        crate::VERSION.clone_into(&mut self.verger);
        self.written_at_ms.insert(places.agent.name.to_owned(), now_ms);
        for (change, original) in changes {
            let before = match original {
                Original::Absent => Before::Absent,
                Original::Bytes(bytes) => back_up(&places.own, &change.path, bytes, now_ms)?,
            };
            self.files.retain(|file| file.path != change.path);
            if let Some(after) = &change.after {
                let (agent, path) = (places.agent.name.to_owned(), change.path.clone());
                let after = content_hash(after);
                self.files.push(WrittenFile { agent, path, after, before });
            }
            self.remember_directories(missing_above(&change.path));
        }
        Ok(())
    }

    /// Adds directories that are about to be created, outer directories first.
    pub(crate) fn remember_directories(&mut self, missing: Vec<PathBuf>) {
        for directory in missing {
            if !self.directories.contains(&directory) {
                self.directories.push(directory);
            }
        }
    }

    pub(crate) fn write(&self, places: &OwnPlaces) -> Result<(), NotReplaced> {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        user_file::replace(&places.receipt, text.as_bytes())
    }
}

/// The directories that must be created for a file, outer directories first.
pub(crate) fn missing_above(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<_> = path
        .ancestors()
        .skip(1)
        .take_while(|directory| !directory.exists())
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    missing
}

fn back_up(
    places: &OwnPlaces,
    path: &Path,
    bytes: &[u8],
    now_ms: u64,
) -> Result<Before, NotReplaced> {
    let sha256 = content_hash(bytes);
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    // Files of two projects may have the same name, and a backup must not be overwritten.
    let free = (0_u32..).map(|number| match number {
        0 => format!("{now_ms}-{file_name}"),
        number => format!("{now_ms}-{number}-{file_name}"),
    });
    let is_free = |name: &String| !places.backups.join(name).exists();
    let name = free.into_iter().find(is_free).unwrap_or_default();
    user_file::replace(&places.backups.join(&name), bytes)?;
    Ok(Before::Backup { name, sha256 })
}
