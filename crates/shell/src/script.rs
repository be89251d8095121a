//! What was read from a command line: the commands that it runs and the parts that stayed unread.

use std::ops::Range;
use std::sync::Arc;

use crate::{braces, mention};

/// Everything a command line runs, as far as its text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The line's own commands, in the order in which their first words end; after them, those that
    /// these run in turn.
    pub commands: Vec<Command>,
    /// What could not be read. The commands of a line with unread parts are a best effort.
    pub unread: Vec<Unread>,
    /// The names of the functions that the line defines.
    pub functions: Vec<String>,
    /// What is evaluated beside commands, wherever it stands: arithmetic, subscripts, and expansions
    /// that look at more than a variable's text. Numbers alone are left out.
    pub evaluated: Vec<String>,
    pub(crate) loops: Vec<Loop>,
    /// For each shell but the line's own, the one that starts it.
    pub(crate) shells: Vec<usize>,
    pub(crate) line: String,
    pub(crate) shape: Shape,
}

/// Whether a line is nothing but one command, or one command piped into another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Plain,
    Compound,
}

/// A variable and the words that a loop sets it to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) name: String,
    pub(crate) words: Vec<Word>,
}

/// A part of the line that was not read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    pub why: Why,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The line is longer than is read.
    TooLong,
    /// Texts in texts, or brackets in brackets, deeper than is followed.
    TooDeep,
    /// More commands than are counted.
    TooMany,
    /// What the line runs is more, all together, than is looked at. The line stands for it, and what was
    /// left may run under a name that is nowhere in its text.
    NoRoom,
    /// Not the syntax of a shell.
    Syntax,
    /// A shell that runs what the line does not show.
    Hidden,
}

/// A simple command: a program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Empty when the command only assigns or redirects.
    pub argv: Vec<Word>,
    pub assignments: Vec<Assignment>,
    pub redirects: Vec<Redirect>,
    pub stdin: Stdin,
    pub place: Place,
    /// A program in another language that an interpreter is given on the line.
    pub code: Option<String>,
    pub inside: Inside,
    pub run: Run,
    pub(crate) depth: usize,
    /// A word with an expansion also has quoted characters that look like one.
    pub(crate) is_ambiguous: bool,
    /// Where its words stand on the line; empty when it stands in a text of its own.
    pub(crate) spans: Vec<Range<usize>>,
    /// Where the here-document that it reads stands on the line.
    pub(crate) body: Option<Range<usize>>,
}

/// Which shell runs a command, and whether it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Run {
    /// The line's own is the first; every bracket, substitution and text for a shell has another, so that what
    /// `cd` does in it ends with it.
    pub shell: usize,
    pub when: When,
}

/// Whether a command runs whenever the line does, as long as nothing before it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    #[default]
    Always,
    /// It stands behind `||`, in a branch, in a loop with a condition, or in a function.
    Perhaps,
}

/// What is known of the commands whose place is within a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    /// It is not known to run others.
    Nothing,
    /// They are what it runs: `sudo`, `xargs`, `sh -c` and their like.
    Found,
    /// They are the best guess: it has an option that is not known, or one that is not literal.
    Guessed,
    /// They are the command itself with the values of its variables put in, which the line sets, and
    /// there are no other values: its words and redirects need no look, its assignments do.
    Readings,
}

/// One word of a command, after quotes and escapes were resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Literal(String),
    /// One word whose text is known only when it runs, with its expansions as they are written.
    Dynamic(String),
    /// Any number of words: an expansion without quotes, a glob, braces.
    Spread(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    pub name: String,
    pub form: Form,
    pub value: Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `a=b`
    Set,
    /// `a+=b`
    Append,
    /// `a[i]=b`: the subscript is evaluated, and what is substituted in it runs.
    Element,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    pub mode: Mode,
    pub target: Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Read,
    Write,
    Append,
    ReadWrite,
    /// To another descriptor, or closed.
    Duplicate,
}

/// Where a command's standard input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stdin {
    Inherited,
    /// A here-document or here-string; `Literal` when nothing in it is expanded.
    Text(Arc<Word>),
    /// The output of the command with this index, or of a group of commands.
    Pipe(Option<usize>),
    File,
}

/// How a command comes to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// It stands on the line itself, at whatever depth of brackets and substitutions.
    Line,
    /// The command with this index runs it, or is it before its variables are put in: its `inside`
    /// tells.
    Within(usize),
}

/// A line that is one plain command, with what it is fed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone<'a> {
    pub argv: Vec<&'a str>,
    pub stdin: Option<String>,
}

impl Script {
    /// A line that there was no time to read.
    pub fn of_unread(line: &str) -> Self {
        Self {
            commands: Vec::new(),
            unread: vec![Unread { why: Why::NoRoom, text: line.to_owned() }],
            functions: Vec::new(),
            evaluated: Vec::new(),
            loops: Vec::new(),
            shells: Vec::new(),
            line: line.to_owned(),
            shape: Shape::Compound,
        }
    }

    /// The words that loops set the variable to, in turn.
    pub fn looped<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Word> {
        self.loops.iter().filter(move |one| one.name == name).flat_map(|one| &one.words)
    }

    /// The names of the variables that loops set.
    pub fn loop_variables(&self) -> impl Iterator<Item = &str> {
        self.loops.iter().map(|one| one.name.as_str())
    }

    /// The shell that starts this one; none for the line's own.
    pub fn outer_shell(&self, shell: usize) -> Option<usize> {
        self.shells.get(shell.checked_sub(1)?).copied()
    }

    /// Whether the word occurs in a part that was not read, or may, or anywhere on a line that runs a
    /// program whose name is not known.
    pub fn mentions(&self, word: &str) -> bool {
        self.unread_mentions(word) || (self.runs_something_dynamic() && self.says(word))
    }

    /// The line that was read.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Where a word of a command stands on the line, with its quotes. Nothing for a command that is
    /// not written on the line itself: one in a text for another shell, or between backticks.
    pub fn span(&self, command: usize, word: usize) -> Option<Range<usize>> {
        let found = self.commands.get(command)?;
        if let Some(span) = found.spans.get(word) {
            return Some(span.clone());
        }
        let (outer, skipped) = self.run_as_written(command)?;
        self.span(outer, skipped + word)
    }

    /// Where the lines of the here-document that a command reads stand on the line, as they are
    /// written.
    pub fn body(&self, command: usize) -> Option<Range<usize>> {
        let found = self.commands.get(command)?;
        let outer = || self.body(self.run_as_written(command)?.0);
        found.body.clone().or_else(outer)
    }

    /// The command that runs this one as the rest of its own words, and how many come before them:
    /// `sudo`, `env` and their like.
    fn run_as_written(&self, command: usize) -> Option<(usize, usize)> {
        let Command { place: Place::Within(outer), argv, .. } = self.commands.get(command)? else {
            return None;
        };
        let all = &self.commands.get(*outer).filter(|_| *outer < command)?.argv;
        let skipped = all.len().checked_sub(argv.len())?;
        (skipped > 0 && all.ends_with(argv)).then_some((*outer, skipped))
    }

    /// Whether the command with this index runs on another machine.
    pub fn runs_elsewhere(&self, index: usize) -> bool {
        let mut place = self.commands.get(index).map_or(Place::Line, |command| command.place);
        while let Place::Within(outer) = place {
            let outer = &self.commands[outer];
            if ["ssh", "autossh", "mosh"].into_iter().any(|program| outer.runs(program)) {
                return true;
            }
            place = outer.place;
        }
        false
    }

    pub(crate) fn says(&self, word: &str) -> bool {
        mention::occurs(&self.line, word)
    }

    pub(crate) fn unread_mentions(&self, word: &str) -> bool {
        let is_any = |unread: &Unread| unread.why == Why::NoRoom;
        self.unread.iter().any(|unread| is_any(unread) || mention::occurs(&unread.text, word))
    }

    pub(crate) fn runs_something_dynamic(&self) -> bool {
        self.commands.iter().any(|command| !command.argv.is_empty() && command.program().is_none())
    }
}

impl Unread {
    /// Whether it was left because a bound was reached within the line, and may run programs whose names
    /// its text does not have.
    pub fn may_be_any(&self) -> bool {
        match self.why {
            Why::NoRoom => true,
            Why::TooDeep | Why::TooMany => self.text.contains(is_read),
            Why::TooLong | Why::Syntax | Why::Hidden => false,
        }
    }
}

/// Whether a shell reads more into this sign than what it looks like. Without any of them, programs run
/// under the names that stand there.
fn is_read(c: char) -> bool {
    !c.is_ascii_alphanumeric() && !c.is_ascii_whitespace() && !"_./-;&".contains(c)
}

impl Command {
    /// The program's base name, if it does not depend on what is only known when it runs.
    pub fn program(&self) -> Option<&str> {
        let (text, is_known) = match self.argv.first()? {
            Word::Literal(text) => (text, true),
            Word::Dynamic(text) | Word::Spread(text) => (text, false),
        };
        let base = match text.rsplit_once('/') {
            Some((_, base)) => base,
            None if is_known => text,
            None => return None,
        };
        // The end of an expansion is no name: `${bin:-/usr/bin/gh}`.
        (is_known || is_plain_name(base)).then_some(base)
    }

    /// Whether it runs the program of this name. Some file systems do not tell capitals apart.
    pub fn runs(&self, name: &str) -> bool {
        self.program().is_some_and(|program| {
            // zsh runs `gh` for `=gh`.
            let program = program.strip_suffix(".exe").unwrap_or(program).trim_start_matches('=');
            program.eq_ignore_ascii_case(name)
        })
    }

    /// All words, when every one of them is literal.
    pub fn literal_argv(&self) -> Option<Vec<&str>> {
        self.argv.iter().map(Word::literal).collect()
    }
}

impl Word {
    pub fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Dynamic(_) | Self::Spread(_) => None,
        }
    }

    /// Whether braces in it may make it any number of words.
    pub fn has_braces(&self) -> bool {
        matches!(self, Self::Spread(text) if braces::may_expand(text))
    }

    /// The text, in which expansions stand as they are written.
    pub fn text(&self) -> &str {
        match self {
            Self::Literal(text) | Self::Dynamic(text) | Self::Spread(text) => text,
        }
    }
}

fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c))
}
