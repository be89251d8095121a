//! What an agent does, one tool call at a time.

mod agenda;
mod command;
mod definition;
mod exchange;
mod outcome;
mod requirement;
mod reset;
mod spelling;
mod tally;
mod word_bits;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verger_event::Tool;

use crate::bounded::is_default;
use crate::mark::mark_of_text;
use crate::paths::{folder, within};
use crate::words::{Gathered, JOINS, Met, Name, OF_NAME, OF_WORD, SLASH, class};
pub use agenda::{Agenda, Items};
pub use command::{Command, CommandKind, Committed, Effect, Paths, Source};
pub use exchange::Exchange;
pub use outcome::{Outcome, Outlook};
pub use reset::{New, Tree};
pub use tally::Tally;
use word_bits::WordBits;

/// So much of what a call writes is looked at.
const MAX_TEXT: usize = 6 * 1024;
/// So much of a command is kept.
const MAX_COMMAND: usize = 400;
/// So many files of one call.
const MAX_FILES: usize = 24;
/// So many words of one call.
const MAX_WORDS: usize = 240;

/// So many names of one call, none of them shorter or longer.
const MAX_NAMES: usize = 48;
const MIN_NAME: usize = 5;
const MAX_NAME: usize = 40;

/// The bits of the two texts of a change.
const OLD: u8 = 1;
const NEW: u8 = 2;

/// One tool call, as far as the course is concerned. It holds no contents, only words that are compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What was done.
    pub action: Action,
    /// The files that it is about, within the project.
    pub files: Vec<String>,
    /// Their folders.
    pub folders: Vec<String>,
    /// The line that it ran.
    pub command: Option<String>,
    /// Whether it failed.
    pub failed: bool,
    /// Words that the change adds or takes away.
    pub changed: BTreeSet<String>,
    /// Words as they are spelled that it exchanges, if that is little.
    #[serde(default, skip_serializing_if = "is_default")]
    pub exchanged: BTreeSet<String>,
    /// What it does to the text of a file.
    #[serde(default, skip_serializing_if = "Text::is_unknown")]
    pub text: Text,
    /// Whether it takes something away and adds nothing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub takes_away: bool,
    /// Words around the change, and what was searched for.
    pub around: BTreeSet<String>,
    /// Names in the change and around it that files could have.
    #[serde(default, skip_serializing_if = "is_default")]
    pub names: BTreeSet<String>,
    /// The first function or type that it defines or changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defines: Option<String>,
    /// Whether it lists something that others wrote and that was not there.
    pub adds_requirement: bool,
    /// What its output shows.
    pub outlook: Outlook,
    /// What its line does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Command>,
    /// What it does to the list of what the agent is going to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agenda: Option<Agenda>,
}

/// What a tool call does to the text of a file, without the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Text {
    /// Nothing, or nothing that is known.
    #[default]
    Unknown,
    /// One text stands in the place of another.
    Exchanged(Exchange),
    /// It is this one, which is told from others by a mark.
    Written(u64),
}

impl Text {
    fn of(action: Action, input: &Value, words: WordBits) -> Self {
        match action {
            Action::Edit => Exchange::of(input, words).map_or(Self::Unknown, Self::Exchanged),
            Action::Write => input
                .get("content")
                .and_then(Value::as_str)
                .map_or(Self::Unknown, |text| Self::Written(mark_of_text(text))),
            _ => Self::Unknown,
        }
    }

    fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }
}

/// What a tool call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Changes a part of a file.
    Edit,
    /// Writes a whole file.
    Write,
    /// Reads a file.
    Read,
    /// Runs a line in a shell.
    Bash,
    /// Looks for files by name.
    Glob,
    /// Looks for text.
    Grep,
    /// Has a subagent do something.
    Task,
    /// Anything else.
    Other,
}

impl Action {
    /// What a tool does, by its name.
    pub fn of_tool(tool: &str) -> Self {
        match Tool::of(tool) {
            Tool::Edit(_) | Tool::Patch => Self::Edit,
            Tool::Write(_) => Self::Write,
            Tool::Read(_) => Self::Read,
            Tool::Shell => Self::Bash,
            Tool::Find => Self::Glob,
            Tool::Search => Self::Grep,
            Tool::Delegate => Self::Task,
            Tool::AskPerson
            | Tool::PresentPlan
            | Tool::UpdateTodo
            | Tool::WriteTodos
            | Tool::Harmless
            | Tool::Unknown => Self::Other,
        }
    }

    /// Whether it changes files.
    pub fn changes_files(self) -> bool {
        matches!(self, Self::Edit | Self::Write)
    }

    /// Whether it only looks.
    pub fn looks(self) -> bool {
        matches!(self, Self::Read | Self::Glob | Self::Grep)
    }
}

impl Step {
    /// Reads a call: the tool's name, its input as the agent sends it, and what came of it. Fields that are
    /// missing or of another kind are passed over.
    pub fn of_call(tool: &str, input: &Value, outcome: Outcome, root: Option<&str>) -> Self {
        Self::of_call_in(tool, input, outcome, (root, None))
    }

    /// The same of a call that was made in another folder than the root, which the paths of a line are told from.
    pub fn of_call_in(
        tool: &str,
        input: &Value,
        outcome: Outcome,
        (root, cwd): (Option<&str>, Option<&str>),
    ) -> Self {
        let action = Action::of_tool(tool);
        let text = |key: &str| text_of(input, key);
        let mut files: Vec<String> = ["file_path", "notebook_path", "path"]
            .into_iter()
            .map(text)
            .filter(|path| !path.is_empty())
            .map(|path| within(path, root))
            .filter(|path| !path.is_empty() && path != ".")
            .collect();
        let mut commands = Vec::new();
        let line = text("command");
        if action == Action::Bash {
            commands = command::read(excerpt(line), command::Place::new(root, cwd));
            files.clear();
            for file in commands.iter().flat_map(|one| &one.changes) {
                if !files.contains(file) {
                    files.push(file.clone());
                }
            }
        }
        files.truncate(MAX_FILES);
        let mut folders: Vec<String> = files.iter().map(|file| folder(file).to_owned()).collect();
        folders.dedup();
        let Change { changed, takes_away, around, names, defines, words } = change(action, input);
        let adds_requirement = action.changes_files()
            && files.first().is_some_and(|file| {
                requirement::is_added(
                    file,
                    excerpt(text("old_string")),
                    excerpt(text("new_string")),
                )
            });
        let takes_away = takes_away || command::only_removes(&commands);
        let command = (action == Action::Bash).then(|| line.chars().take(MAX_COMMAND).collect());
        let exchanged = match action {
            Action::Edit => spelling::exchanged(input),
            Action::Bash if !files.is_empty() => spelling::of_line(line),
            _ => BTreeSet::new(),
        };
        let mut outlook = outcome.outlook(root);
        if commands.iter().any(|one| one.kind == CommandKind::Commits) {
            outlook.commit = outcome.commit();
        }
        Self {
            action,
            files,
            folders,
            command,
            failed: outcome.failed,
            changed,
            exchanged,
            text: Text::of(action, input, words),
            takes_away,
            around,
            names,
            defines,
            adds_requirement,
            outlook,
            commands,
            agenda: Agenda::of(tool, input),
        }
    }

    /// Whether it decides something for what follows: a new file, a dependency, a commit. What failed decides
    /// nothing.
    pub fn is_key_decision(&self) -> bool {
        use CommandKind::{AddsDependency, Commits, Pushes};
        let decides = |one: &Command| matches!(one.kind, AddsDependency | Commits | Pushes);
        !self.failed && (self.action == Action::Write || self.commands.iter().any(decides))
    }

    /// The files that it changes, by a tool or by a command.
    pub fn changed_files(&self) -> &[String] {
        if self.action.changes_files() || self.action == Action::Bash { &self.files } else { &[] }
    }

    /// Whether it brings a file back as it was.
    pub(crate) fn restores(&self, file: &str) -> bool {
        self.commands.iter().any(|command| command.effect.restores(file))
    }

    /// What it exchanges in a file, where that is known.
    pub(crate) fn exchanges(&self, file: &str) -> impl Iterator<Item = Exchange> {
        let edit = match self.text {
            Text::Exchanged(exchange) if self.files.iter().any(|one| one == file) => Some(exchange),
            Text::Exchanged(_) | Text::Written(_) | Text::Unknown => None,
        };
        let changes = move |one: &&Command| one.changes.iter().any(|changed| changed == file);
        let commands = self.commands.iter().filter(changes);
        let exchanged = commands.flat_map(|command| match &command.effect {
            Effect::Exchanges(exchanges) => &exchanges[..],
            _ => &[],
        });
        edit.into_iter().chain(exchanged.copied())
    }

    /// Which files it moves: from where, and where to.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &(String, String)> {
        self.commands.iter().flat_map(|command| match &command.effect {
            Effect::Moves(moves) => &moves[..],
            _ => &[],
        })
    }

    /// Whether it makes a file, unless that was there.
    pub(crate) fn makes(&self, file: &str) -> bool {
        let is_made = |command: &Command| command.makes.iter().any(|made| made == file);
        self.action == Action::Write || self.commands.iter().any(is_made)
    }

    /// Whether it removes a file.
    pub(crate) fn removes(&self, file: &str) -> bool {
        self.commands.iter().any(|command| command.removes(file))
    }
}

/// The words that a call adds or takes away, and those that stay around them.
#[derive(Default)]
struct Change {
    changed: BTreeSet<String>,
    takes_away: bool,
    around: BTreeSet<String>,
    names: BTreeSet<String>,
    defines: Option<String>,
    words: WordBits,
}

fn change(action: Action, input: &Value) -> Change {
    let mut words = Gathered::default();
    if !action.changes_files() {
        let keys = ["pattern", "command", "description", "prompt", "url", "query", "glob"];
        for (nth, key) in keys.into_iter().enumerate() {
            words.add(excerpt(text_of(input, key)), 1 << nth, |_| {});
        }
        let around = words.into_iter().take(MAX_WORDS).map(|(word, _)| word).collect();
        return Change { around, ..Change::default() };
    }
    let mut old = String::new();
    let mut new = String::new();
    let mut take = |value: &Value| {
        push(&mut old, text_of(value, "old_string"));
        for key in ["new_string", "content", "new_source"] {
            push(&mut new, text_of(value, key));
        }
    };
    take(input);
    for edit in input.get("edits").and_then(Value::as_array).into_iter().flatten().take(16) {
        take(edit);
    }
    let mut names = Names::default();
    words.add(&old, OLD, |name| names.note(&name));
    words.add(&new, NEW, |name| names.note(&name));
    let (mut changed, mut around) = (vec![], vec![]);
    let mut takes_and_adds = 0;
    for (word, texts) in words.into_iter() {
        names.words.add(&word);
        if texts == OLD | NEW {
            around.push(word);
        } else {
            takes_and_adds |= texts;
            changed.push(word);
        }
    }
    changed.truncate(MAX_WORDS);
    around.truncate(MAX_WORDS);
    let takes_away = takes_and_adds == OLD;
    let (changed, around) = (changed.into_iter().collect(), around.into_iter().collect());
    let Names { found, words, may_define, .. } = names;
    let defines = ["old_string", "new_string"]
        .into_iter()
        .filter(|_| may_define)
        .find_map(|key| definition::defined(text_of(input, key)));
    let names = found.into_iter().collect();
    Change { changed, takes_away, around, names, defines, words }
}

/// Names that a file could be called by: `SearchService`, `search_service`, or the end of `lib/search`.
#[derive(Default)]
struct Names<'a> {
    found: Vec<String>,
    /// How many there were, with those that were there before.
    noted: usize,
    met: Met<'a>,
    /// The words of all names.
    words: WordBits,
    /// Whether there is a word before which something is defined: most edits have none, and need not be looked
    /// through for it.
    may_define: bool,
}

impl<'a> Names<'a> {
    fn note(&mut self, name: &Name<'a>) {
        let text = name.as_str();
        self.words.add(text);
        self.may_define |= definition::is_defining(text);
        // Most are single words in small letters, and are none.
        let is_written_as_one = name.met & JOINS != 0 || is_within_folder(name.before());
        if !is_written_as_one || name.next_byte() == Some(b'/') || self.noted >= MAX_NAMES {
            return;
        }
        let letters = text.bytes().filter(|b| *b != b'_').count();
        if (MIN_NAME..MAX_NAME).contains(&letters) {
            self.noted += 1;
            if !self.met.again(text) {
                self.found.push(as_name(text));
            }
        }
    }
}

/// Whether a name stands behind a folder: in `lib/search`, but not in `/search`.
fn is_within_folder(before: &[u8]) -> bool {
    matches!(before, [.., last, b'/'] if class(*last) & (OF_NAME | SLASH) != 0)
}

/// A name however it is written: `SearchService` and `search_service` are one.
pub(crate) fn as_name(written: &str) -> String {
    let mut name = written.to_ascii_lowercase().into_bytes();
    name.retain(|b| class(*b) & OF_WORD != 0);
    String::from_utf8(name).unwrap_or_default()
}

/// The text that a call has for a key.
fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn push(text: &mut String, more: &str) {
    let room = MAX_TEXT.saturating_sub(text.len());
    let more = &more[..more.floor_char_boundary(room.min(more.len()))];
    // With room for the line ends of the texts that a call does not have.
    text.reserve(more.len() + 4);
    text.push_str(more);
    text.push('\n');
}

fn excerpt(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT.min(text.len()))]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    proptest! {
        /// A text is only looked through for what it defines when its names say that there is something.
        #[test]
        fn what_a_change_defines_is_never_passed_over(
            parts in prop::collection::vec("fn|def|type|class|[a-c1é$_ →\\n.]", 0..12),
            is_new in any::<bool>(),
        ) {
            let text = parts.concat();
            let input = json!({ if is_new { "new_string" } else { "old_string" }: text });
            let step = Step::of_call("Edit", &input, Outcome::default(), None);
            prop_assert_eq!(step.defines, definition::defined(&text));
        }
    }
}
