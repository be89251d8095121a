//! What an agent does, one tool call at a time.

mod agenda;
mod command;
mod exchange;
mod outcome;
mod requirement;
mod reset;
mod spelling;
mod tally;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verger_event::Tool;

use crate::bounded::is_default;
use crate::mark::mark;
use crate::paths::{folder, within};
use crate::words::{JOINS, Met, OF_NAME, SLASH, all_words, class};
pub use agenda::{Agenda, Items};
pub use command::{Command, CommandKind, Committed, Effect, Paths, Source};
pub use exchange::Exchange;
pub use outcome::{Outcome, Outlook};
pub use reset::{New, Tree};
pub use tally::Tally;

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
    fn of(action: Action, input: &Value) -> Self {
        match action {
            Action::Edit => Exchange::of(input).map_or(Self::Unknown, Self::Exchanged),
            Action::Write => input
                .get("content")
                .and_then(Value::as_str)
                .map_or(Self::Unknown, |text| Self::Written(mark(text.bytes()))),
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
        let text = |key: &str| input.get(key).and_then(Value::as_str).unwrap_or_default();
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
        let Change { changed, takes_away, around, names } = change(action, input);
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
            text: Text::of(action, input),
            takes_away,
            around,
            names,
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
}

fn change(action: Action, input: &Value) -> Change {
    let mut old = String::new();
    let mut new = String::new();
    let mut take = |value: &Value| {
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        push(&mut old, text("old_string"));
        for key in ["new_string", "content", "new_source"] {
            push(&mut new, text(key));
        }
    };
    take(input);
    for edit in input.get("edits").and_then(Value::as_array).into_iter().flatten().take(16) {
        take(edit);
    }
    let mut around = BTreeSet::new();
    if !action.changes_files() {
        for key in ["pattern", "command", "description", "prompt", "url", "query", "glob"] {
            let said = input.get(key).and_then(Value::as_str).unwrap_or_default();
            around.extend(all_words(excerpt(said)));
        }
        around = around.into_iter().take(MAX_WORDS).collect();
        return Change { around, ..Change::default() };
    }
    let mut met = Met::default();
    let names = names_in(&old).chain(names_in(&new)).take(MAX_NAMES);
    let names = names.filter(|name| !met.again(name)).map(as_name).collect();
    let (old, new) = (all_words(&old), all_words(&new));
    let changed = old.symmetric_difference(&new).take(MAX_WORDS).cloned().collect();
    around.extend(old.intersection(&new).take(MAX_WORDS).cloned());
    let takes_away = new.len() < old.len() && new.is_subset(&old);
    Change { changed, takes_away, around, names }
}

/// Names that a file could be called by: `SearchService`, `search_service`, or the end of `lib/search`.
fn names_in(text: &str) -> impl Iterator<Item = &[u8]> {
    // They are ASCII, and are told by their bytes.
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        loop {
            let is_of_written = |b: u8| class(b) & (OF_NAME | SLASH) != 0;
            rest = &rest[rest.iter().position(|b| is_of_written(*b))?..];
            let (mut len, mut met) = (0, 0);
            while let Some(b) = rest.get(len)
                && is_of_written(*b)
            {
                met |= class(*b);
                len += 1;
            }
            let (written, after) = rest.split_at(len);
            rest = after;
            // Most are single words in small letters, and are no names.
            if len >= MIN_NAME
                && met & (JOINS | SLASH) != 0
                && let Some(name) = name_in(written)
            {
                return Some(name);
            }
        }
    })
}

fn name_in(written: &[u8]) -> Option<&[u8]> {
    let slash = written.iter().rposition(|b| *b == b'/');
    let name = &written[slash.map_or(0, |at| at + 1)..];
    let is_written_as_one =
        slash.is_some_and(|at| at > 0) || name.iter().any(|b| class(*b) & JOINS != 0);
    let len = name.iter().filter(|b| **b != b'_').count();
    (is_written_as_one && (MIN_NAME..MAX_NAME).contains(&len)).then_some(name)
}

/// A name however it is written: `SearchService` and `search_service` are one.
pub(crate) fn as_name(written: impl AsRef<[u8]>) -> String {
    let written = written.as_ref();
    let mut name = String::with_capacity(written.len());
    for b in written.iter().filter(|b| b.is_ascii_alphanumeric()) {
        name.push(char::from(b.to_ascii_lowercase()));
    }
    name
}

fn push(text: &mut String, more: &str) {
    let room = MAX_TEXT.saturating_sub(text.len());
    text.push_str(&more[..more.floor_char_boundary(room.min(more.len()))]);
    text.push('\n');
}

fn excerpt(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT.min(text.len()))]
}
