//! Replaces variables in commands by their values: in `x=rm; $x -rf /`, the command `rm -rf /` is a
//! reading of `$x -rf /`.
//!
//! Only values that the command line itself sets are used. The result may include commands that
//! don't run: it also uses defaults, arguments of functions and of `sh -c`, and the output of a
//! plain `$(echo ...)`.

use std::collections::{BTreeMap, BTreeSet};

use crate::braces;
use crate::reader::{Found, MAX_TEXT};
use crate::script::{Command, Place, Redirect, Why, Word};
use crate::values::Settings;

mod filled;
mod part;
mod positional;

use filled::Filled;
use part::{Part, parts};
use positional::{Arguments, Positional};

/// The maximum number of readings of one command.
const MAX_READINGS: usize = 64;
/// The maximum total length of all readings of a command line. Loops over dozens of files stay far
/// below it.
const MAX_LENGTH: usize = 4 * MAX_TEXT;

pub(crate) struct Readings {
    pub(crate) commands: Vec<Command>,
    pub(crate) whole: Vec<Whole>,
    /// The reason why readings may be missing, if any may be.
    pub(crate) cut: Option<Why>,
}

/// A command whose readings are complete.
pub(crate) struct Whole {
    pub(crate) index: usize,
    /// The number of known variable settings at the time when the readings were made.
    pub(crate) settings: usize,
}

/// The readings of the commands from `first` on.
pub(crate) fn readings(found: &Found, line: &str, first: usize) -> Readings {
    let mut all = Readings { commands: Vec::new(), whole: Vec::new(), cut: None };
    let open = found.commands.iter().enumerate().skip(first).filter(|(_, c)| has_expansion(c));
    let open: Vec<_> = open.collect();
    if open.is_empty() {
        return all;
    }
    let settings = Settings::of(&found.commands, &found.loops, line);
    let arguments = Arguments::of(&found.commands, &found.functions);
    let mut left = MAX_LENGTH;
    for (index, command) in open {
        let scope = Scope { settings: &settings, arguments: &arguments };
        let mut reader = Reader::new(&scope, command);
        let mut others = 0;
        for choice in 0..reader.choices.min(MAX_READINGS) {
            let Some(reading) = reader.reading(command, choice, &mut left) else {
                all.cut = Some(Why::NoRoom);
                break;
            };
            if reading.argv != command.argv || reading.redirects != command.redirects {
                all.commands.push(Command { place: Place::Within(index), ..reading });
                others += 1;
            }
        }
        // A reading that equals the unchanged command is not counted as complete, because then the
        // command itself must be judged too.
        let is_all = others == reader.choices && reader.choices <= MAX_READINGS && left > 0;
        if reader.is_whole && is_all {
            all.whole.push(Whole { index, settings: settings.count() });
        } else if let [Word::Spread(_), rest @ ..] = &command.argv[..]
            && !rest.is_empty()
        {
            // A variable as in `$SUDO gh ...` may expand to no word.
            let without = Command::new(rest.to_vec(), Place::Within(index), command.depth);
            all.commands.push(Command {
                stdin: command.stdin.clone(),
                run: command.run,
                ..without
            });
        }
    }
    all
}

fn has_expansion(command: &Command) -> bool {
    let targets = command.redirects.iter().map(|redirect| &redirect.target);
    command
        .argv
        .iter()
        .chain(targets)
        .any(|word| word.literal().is_none() && word.text().contains(['$', '`', '{']))
}

/// The values that may replace variables and parameters.
struct Scope<'a> {
    settings: &'a Settings<'a>,
    arguments: &'a Arguments<'a>,
}

/// Makes all readings of one command.
struct Reader<'a> {
    scope: &'a Scope<'a>,
    choices: usize,
    variables: BTreeMap<String, Chosen>,
    is_whole: bool,
}

/// A variable with several values. Each reading uses one of them.
struct Chosen {
    /// The number of consecutive readings that use the same value.
    repeats: usize,
    count: usize,
}

impl<'a> Reader<'a> {
    fn new(scope: &'a Scope<'a>, command: &Command) -> Self {
        let mut reader = Self {
            scope,
            choices: 1,
            variables: BTreeMap::new(),
            is_whole: !command.is_ambiguous && scope.settings.get("IFS").is_none(),
        };
        let targets = command.redirects.iter().map(|redirect| &redirect.target);
        let words = command.argv.iter().chain(targets).filter(|word| word.literal().is_none());
        let parts: Vec<Part<'_>> = words.flat_map(|word| parts(word.text())).collect();
        let defaults = parts.iter().filter_map(|part| match part {
            Part::Variable { name, default: Some(_), .. } => Some(*name),
            _ => None,
        });
        let defaults: BTreeSet<&str> = defaults.collect();
        for part in &parts {
            reader.count(part, &defaults);
        }
        let assigned = command.assignments.iter().all(|set| set.value.literal().is_some());
        reader.is_whole &= assigned;
        reader
    }

    fn count(&mut self, part: &Part<'_>, defaults: &BTreeSet<&str>) {
        let (name, count) = match part {
            Part::Variable { name, .. } => {
                self.is_whole &= self.scope.settings.sure(name).is_some();
                let count = self.scope.settings.get(name).map_or(0, |setting| setting.values.len());
                // The default is one more value, because the variable may not be set yet.
                (*name, count + usize::from(defaults.contains(name)))
            }
            Part::Positional(_) => {
                self.is_whole = false;
                ("@", self.scope.arguments.lists.len())
            }
            Part::Text(_) => return,
            Part::Blank | Part::Known(_) | Part::Unknown(_) => {
                self.is_whole = false;
                return;
            }
        };
        if count > 1 && !self.variables.contains_key(name) {
            self.variables.insert(name.to_owned(), Chosen { repeats: self.choices, count });
            self.choices = self.choices.saturating_mul(count);
        }
    }

    /// The index of the value that the reading `choice` uses for the variable `name`.
    fn chosen(&self, name: &str, choice: usize) -> usize {
        self.variables.get(name).map_or(0, |known| (choice / known.repeats) % known.count)
    }

    fn reading(&mut self, command: &Command, choice: usize, left: &mut usize) -> Option<Command> {
        let mut argv = Vec::with_capacity(command.argv.len());
        for word in &command.argv {
            self.put_in(word, choice, left, &mut argv)?;
        }
        let mut redirects = Vec::with_capacity(command.redirects.len());
        for redirect in &command.redirects {
            let mut targets = Vec::new();
            self.put_in(&redirect.target, choice, left, &mut targets)?;
            let targets = targets.into_iter();
            redirects.extend(targets.map(|target| Redirect { mode: redirect.mode, target }));
        }
        // Assignments are not repeated in the reading.
        let reading = Command::new(argv, command.place, command.depth);
        Some(Command { redirects, stdin: command.stdin.clone(), run: command.run, ..reading })
    }

    /// Adds the words that `word` expands to. `None` if their total length exceeds the remaining
    /// room.
    fn put_in(
        &mut self,
        word: &Word,
        choice: usize,
        left: &mut usize,
        into: &mut Vec<Word>,
    ) -> Option<()> {
        let text = match word {
            Word::Spread(text) => text,
            Word::Dynamic(text) => {
                into.push(self.filled(text, choice, left)?.into_word());
                return Some(());
            }
            Word::Literal(text) => {
                *left = left.checked_sub(text.len() + 1)?;
                into.push(word.clone());
                return Some(());
            }
        };
        let words = braces::expanded(text).unwrap_or_else(|| {
            // There are too many words to expand, so the readings are incomplete.
            self.is_whole &= !braces::may_expand(text);
            vec![text.clone()]
        });
        for word in words {
            let filled = self.filled(&word, choice, left)?;
            // It is certain where a value splits only if the whole word is one expansion.
            self.is_whole &= !filled.is_split() || parts(&word).len() == 1;
            into.extend(filled.into_words());
        }
        Some(())
    }

    /// Replaces the expansions in a text. The length is checked first, so that a text that exceeds
    /// the remaining room is never composed.
    fn filled(&self, text: &str, choice: usize, left: &mut usize) -> Option<Filled> {
        let parts = parts(text).into_iter().map(|part| self.value(part, choice));
        let parts: Vec<Value<'_>> = parts.collect();
        *left = left.checked_sub(parts.iter().map(|part| part.length() + 1).sum())?;
        let mut filled = Filled::default();
        for part in parts {
            match part {
                Value::Text(text) => filled.text(text),
                Value::Blank => filled.value(" "),
                Value::Known(value) => filled.value(&value),
                Value::Word(word) => filled.word(word),
                Value::Default(text) => filled.value(text),
                Value::Positional(positional) => filled.value(&positional.text()),
                Value::Unknown(source) => filled.unknown(source),
            }
        }
        Some(filled)
    }

    fn value<'p>(&'p self, part: Part<'p>, choice: usize) -> Value<'p> {
        match part {
            Part::Text(text) => Value::Text(text),
            Part::Blank => Value::Blank,
            Part::Known(value) => Value::Known(value),
            Part::Unknown(source) => Value::Unknown(source),
            Part::Variable { name, source, default } => {
                let values = self.scope.settings.get(name).map_or(&[][..], |s| &s.values);
                let chosen = values.get(self.chosen(name, choice));
                match (chosen, default) {
                    (Some(value), _) => Value::Word(value),
                    (None, Some(default)) => Value::Default(default),
                    (None, None) => Value::Unknown(source),
                }
            }
            Part::Positional(source) => {
                let list = self.scope.arguments.lists.get(self.chosen("@", choice));
                let positional = list.and_then(|list| list.get(source));
                positional.map_or(Value::Unknown(source), Value::Positional)
            }
        }
    }
}

/// The text that replaces a part of a word.
enum Value<'a> {
    Text(&'a str),
    Blank,
    Known(String),
    Word(&'a Word),
    Default(&'a str),
    Positional(Positional<'a>),
    Unknown(&'a str),
}

impl Value<'_> {
    fn length(&self) -> usize {
        match self {
            Self::Text(text) | Self::Default(text) | Self::Unknown(text) => text.len(),
            Self::Blank => 1,
            Self::Known(text) => text.len(),
            Self::Word(word) => word.text().len(),
            Self::Positional(positional) => positional.length(),
        }
    }
}
