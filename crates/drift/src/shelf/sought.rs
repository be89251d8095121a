//! What a person asks for, as far as tasks can be compared with it.

use std::collections::BTreeSet;

use crate::goal::{Constraint, Goal, persons_words};
use crate::paths::{FileKind, PathPattern, bare_name, is_changelog, name, named_in, within};
use crate::words::{words, words_by_place};

/// So much of a prompt is read: a pasted log says less with every line.
const MAX_PROMPT: usize = 16 * 1024;
const MAX_TEXT: usize = 4 * 1024;
/// So many paths count that are named, and so many that were touched.
const MAX_NAMED: usize = 8;
const MAX_TOUCHED: usize = 8;

/// What is sought.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sought {
    /// Words that tell one task from another, those together that come from one place of the text.
    pub(super) places: Vec<BTreeSet<String>>,
    /// Paths that the person names.
    pub(super) named: Vec<String>,
    /// Paths that were touched in the session.
    pub(super) touched: Vec<String>,
}

impl Sought {
    /// What a prompt seeks; nothing where it says nothing of what it is about. `root` is where paths are
    /// told from.
    pub fn in_prompt(prompt: &str, root: Option<&str>) -> Option<Self> {
        let text = persons_words(begin(prompt, MAX_PROMPT));
        let text = begin(text.trim(), MAX_TEXT);
        let mut goal = Goal::default();
        goal.hear(text, root)?;
        let mut named = named_in(text, root);
        let about = without_folders(text, &named, root);
        let mut places = words_by_place(&about);
        for place in &mut places {
            place.retain(|word| goal.keywords.contains(word));
        }
        places.retain(|place| !place.is_empty());
        let is_forbidden = |path: &str| goal.constraints.iter().any(|one| forbids(one, path));
        named.retain(|path| is_telling(path) && !is_forbidden(path));
        named.truncate(MAX_NAMED);
        let sought = Self { places, named, touched: vec![] };
        (!sought.places.is_empty() || !sought.named.is_empty()).then_some(sought)
    }

    /// Together with what was touched in the session so far.
    #[must_use]
    pub fn beside<'a>(
        mut self,
        touched: impl IntoIterator<Item = &'a str>,
        root: Option<&str>,
    ) -> Self {
        let touched = touched.into_iter().map(|path| within(path, root));
        self.touched = touched.filter(|path| is_telling(path)).take(MAX_TOUCHED).collect();
        self
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.places.iter().flatten().map(String::as_str)
    }
}

fn begin(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max.min(text.len()))]
}

/// The text with the names of files in the place of their paths: folders say where something is, and half
/// of all tasks are there.
fn without_folders(text: &str, named: &[String], root: Option<&str>) -> String {
    let root = root.filter(|root| root.len() > 1);
    let mut about = root.map_or_else(|| text.to_owned(), |root| text.replace(root, ""));
    for path in named.iter().filter(|path| path.contains('/')) {
        let name = if path.ends_with('/') { "" } else { bare_name(path) };
        about = about.replace(path.as_str(), name);
    }
    about
}

fn forbids(constraint: &Constraint, path: &str) -> bool {
    matches!(constraint, Constraint::NotPath(pattern) if pattern.covers(path))
}

/// Whether a path says what is meant: files that every task changes do not, nor does `mod.rs`.
fn is_telling(path: &str) -> bool {
    let is_everybodys = FileKind::of(path) == FileKind::Build
        || is_changelog(path)
        || name(path).to_ascii_lowercase().starts_with("readme");
    let is_whole = path.contains('/') && PathPattern::new(path).names_a_file();
    !is_everybodys && !path.contains('*') && (is_whole || !words(path).is_empty())
}
