//! The query for the index: the ticket, the prompt, the branch, and the files in use, as far as
//! they are known without starting git.

use std::borrow::Cow;
use std::path::Path;

use crate::State;
use verger_event::ToolCall;
use verger_gate::learning::Ticket;
use verger_recall::Query;
use verger_worktree::head;

use super::Occasion;

/// Weights of a ticket's title and description and of a branch's name. A person's words have
/// weight 1.
const TITLE: f32 = 1.0;
const DESCRIPTION: f32 = 0.5;
const BRANCH: f32 = 0.5;
/// Maximum number of bytes of a text in a query. More text, such as a pasted log, doesn't improve
/// the query.
const MAX_TEXT_BYTES: usize = 8 * 1024;
/// Maximum number of files in a query.
const MAX_FILES: usize = 20;
/// Parts of a branch's name that name only the kind of work.
const BRANCH_KINDS: &[&str] = &[
    "bug",
    "bugfix",
    "chore",
    "ci",
    "dependabot",
    "dev",
    "develop",
    "docs",
    "feat",
    "feature",
    "fix",
    "hotfix",
    "main",
    "master",
    "refactor",
    "release",
    "test",
    "trunk",
    "wip",
];

/// The query for one occasion.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    texts: Vec<(Cow<'a, str>, f32)>,
    files: Vec<String>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        occasion: Occasion<'a>,
        ticket: Option<&'a Ticket>,
        state: &State,
        root: &Path,
    ) -> Self {
        let mut asked = Self { texts: vec![], files: vec![] };
        if let Some(ticket) = ticket {
            asked.text(&ticket.title, TITLE);
            asked.text(&ticket.description, DESCRIPTION);
        }
        match occasion {
            Occasion::Start | Occasion::Word => {}
            Occasion::Prompt(prompt) => {
                asked.text(prompt, 1.0);
                prompt.split_whitespace().for_each(|word| asked.named_file(word, root));
            }
            Occasion::Call(call) => asked.call(call, root),
        }
        let branch = head(root).branch.unwrap_or_default();
        let words: Vec<_> = branch
            .split(['/', '-', '_', '.'])
            .filter(|word| {
                !BRANCH_KINDS.contains(word) && !word.bytes().all(|b| b.is_ascii_digit())
            })
            .collect();
        asked.texts.push((words.join(" ").into(), BRANCH));
        for file in &state.work.touched.files {
            asked.file(file, root);
        }
        asked.texts.retain(|(text, _)| !text.trim().is_empty());
        asked
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.files.is_empty()
    }

    pub(super) fn query(&self) -> Query<'_> {
        Query {
            texts: self.texts.iter().map(|(text, weight)| (text.as_ref(), *weight)).collect(),
            files: self.files.iter().map(String::as_str).collect(),
            ..Query::default()
        }
    }

    /// The query as text, for explanations.
    pub(super) fn words(&self) -> String {
        let texts = self.texts.iter().map(|(text, _)| text.as_ref());
        texts.chain(self.files.iter().map(String::as_str)).collect::<Vec<_>>().join(" | ")
    }

    fn text(&mut self, text: &'a str, weight: f32) {
        let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
        self.texts.push((text.into(), weight));
    }

    /// Adds the texts of a call's input, which describe its purpose.
    fn call(&mut self, call: &'a ToolCall, root: &Path) {
        for text in call.texts() {
            if Path::new(text).is_absolute() {
                self.file(text, root);
            } else {
                self.text(text, 1.0);
            }
        }
    }

    /// Adds a word of a prompt if it is a path.
    fn named_file(&mut self, word: &str, root: &Path) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"./_-".contains(c));
        let word = word.trim_start_matches("./").trim_end_matches('.');
        if word.contains('/') || word.rsplit_once('.').is_some_and(|(_, end)| is_extension(end)) {
            self.file(word, root);
        }
    }

    fn file(&mut self, path: &str, root: &Path) {
        let below = Path::new(path).strip_prefix(root).ok().and_then(Path::to_str);
        let path = below.unwrap_or(path);
        if self.files.len() < MAX_FILES && !self.files.iter().any(|known| known == path) {
            self.files.push(path.to_owned());
        }
    }
}

fn is_extension(end: &str) -> bool {
    (1..=5).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
