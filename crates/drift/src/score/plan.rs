//! What a document says that the instruction says to follow. It belongs to what was asked for.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::bounded::fit;
use crate::goal::{Goal, Guide, may_guide};
use crate::paths::{PathPattern, is_prose, named_in};
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
pub(super) struct Plan {
    guides: Vec<Guide>,
    contents: Contents,
    /// What was read last that nobody said to follow yet.
    aside: Option<(String, Contents)>,
}

/// What documents say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Contents {
    files: Vec<PathPattern>,
    words: BTreeSet<String>,
}

impl Contents {
    fn of(text: &str, root: Option<&str>) -> Self {
        let text = &text[..text.floor_char_boundary(MAX_TEXT.min(text.len()))];
        let files = named_in(text, root).iter().map(|path| PathPattern::new(path)).collect();
        let mut contents = Self::default();
        contents.add(Self { files, words: words(text) });
        contents
    }

    fn add(&mut self, other: Self) {
        for path in other.files {
            if self.files.len() < MAX_FILES && !self.files.contains(&path) {
                self.files.push(path);
            }
        }
        self.words.extend(other.words);
        fit(&mut self.words, MAX_BYTES);
    }
}

impl Plan {
    /// A person says to follow more. It may have been read before.
    pub(super) fn follow(&mut self, guides: Vec<Guide>) {
        let is_meant = |(file, _): &mut (String, Contents)| guides.iter().any(|it| it.is(file));
        if let Some((_, contents)) = self.aside.take_if(is_meant) {
            self.contents.add(contents);
        }
        for guide in guides {
            let is_new = guide != Guide::Read && !self.guides.contains(&guide);
            if is_new && self.guides.len() < MAX_GUIDES {
                self.guides.push(guide);
            }
        }
    }

    /// The document that a step shows, if it is one to follow or may become one.
    pub(super) fn shown_by(&self, step: &Step, goal: &Goal, root: Option<&str>) -> Option<String> {
        if step.failed || !step.changed_files().is_empty() {
            return None;
        }
        let is_guide = |file: &String| self.guides.iter().any(|guide| guide.is(file));
        match (step.action, &step.command) {
            (Action::Read, _) => {
                let file = step.files.first()?;
                let may_be = || {
                    may_guide(file)
                        || (is_prose(file) && goal.scope.paths.iter().any(|path| path.covers(file)))
                };
                (is_guide(file) || may_be()).then(|| file.clone())
            }
            (Action::Bash, Some(line)) if !self.guides.is_empty() => {
                named_in(line, root).into_iter().find(is_guide)
            }
            _ => None,
        }
    }

    /// Whether one of them was read.
    pub(super) fn is_read(&self) -> bool {
        self.contents != Contents::default()
    }

    /// Takes in what a document says.
    pub(super) fn read(&mut self, document: &str, text: &str, root: Option<&str>) {
        let contents = Contents::of(text, root);
        if self.guides.iter().any(|guide| guide.is(document)) {
            self.contents.add(contents);
        } else {
            self.aside = Some((document.to_owned(), contents));
        }
    }

    /// Takes in what a person agreed to.
    pub(super) fn accept(&mut self, text: &str, root: Option<&str>) {
        self.contents.add(Contents::of(text, root));
    }

    /// Whether it names the file, or a folder that it lies in.
    pub(super) fn names(&self, file: &str) -> bool {
        self.contents.files.iter().any(|path| path.covers(file))
    }

    /// Whether a change of a file with these words in its path is about what it says. Of many words some are
    /// met by chance.
    pub(super) fn is_about(&self, step: &Step, path_words: &BTreeSet<String>) -> bool {
        let words = &self.contents.words;
        if words.is_empty() {
            return false;
        }
        let said = step.changed.iter().chain(&step.around).chain(path_words);
        let met: BTreeSet<&String> = said.filter(|word| words.contains(*word)).collect();
        met.len() >= if step.changed.len() > LONG { 4 } else { 2 }
    }
}
