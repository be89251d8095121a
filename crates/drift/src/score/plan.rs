//! What a document says that the instruction says to follow. It belongs to what was asked for.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::bounded::{fit, joined};
use crate::goal::Guide;
use crate::paths::{PathPattern, named_in};
use crate::step::{Action, Step};
use crate::words::words;

const MAX_GUIDES: usize = 8;
/// So much of a document is read.
const MAX_TEXT: usize = 8 * 1024;
/// So many files that it names, and so many bytes of its words.
const MAX_FILES: usize = 48;
const MAX_BYTES: usize = 1536;
/// A change with more words than this is long.
const LONG: usize = 20;

/// The documents to follow, and what they say as far as they were read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Plan {
    #[serde(rename = "g", skip_serializing_if = "Vec::is_empty")]
    guides: Vec<Guide>,
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    files: Vec<PathPattern>,
    #[serde(rename = "w", with = "joined", skip_serializing_if = "BTreeSet::is_empty")]
    words: BTreeSet<String>,
}

impl Plan {
    /// A person says to follow more.
    pub(super) fn follow(&mut self, guides: Vec<Guide>) {
        for guide in guides {
            if self.guides.len() < MAX_GUIDES && !self.guides.contains(&guide) {
                self.guides.push(guide);
            }
        }
    }

    /// Whether a step shows one of the documents.
    pub(super) fn is_shown_by(&self, step: &Step, root: Option<&str>) -> bool {
        if self.guides.is_empty() || step.failed || !step.changed_files().is_empty() {
            return false;
        }
        let is_guide = |file: &String| self.guides.iter().any(|guide| guide.is(file));
        match (step.action, &step.command) {
            (Action::Read, _) => step.files.iter().any(is_guide),
            (Action::Bash, Some(line)) => named_in(line, root).iter().any(is_guide),
            _ => false,
        }
    }

    /// Takes in what a document says.
    pub(super) fn read(&mut self, text: &str, root: Option<&str>) {
        let text = &text[..text.floor_char_boundary(MAX_TEXT.min(text.len()))];
        for path in named_in(text, root).iter().map(|path| PathPattern::new(path)) {
            if self.files.len() < MAX_FILES && !self.files.contains(&path) {
                self.files.push(path);
            }
        }
        self.words.extend(words(text));
        fit(&mut self.words, MAX_BYTES);
    }

    /// Whether it names the file, or a folder that it lies in.
    pub(super) fn names(&self, file: &str) -> bool {
        self.files.iter().any(|path| path.covers(file))
    }

    /// Whether a change of a file with these words in its path is about what it says. Of many words some are
    /// met by chance.
    pub(super) fn is_about(&self, step: &Step, path_words: &BTreeSet<String>) -> bool {
        if self.words.is_empty() {
            return false;
        }
        let said = step.changed.iter().chain(&step.around).chain(path_words);
        let met: BTreeSet<&String> = said.filter(|word| self.words.contains(*word)).collect();
        met.len() >= if step.changed.len() > LONG { 4 } else { 2 }
    }
}
