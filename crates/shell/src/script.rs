//! The result of reading a command line: the commands that it runs, and the unread parts.

use std::ops::Range;
use std::sync::Arc;

use crate::{braces, mention};

/// All commands that a line runs, as far as the line's text shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The line's own commands, ordered by the ends of their first words; after them, the commands
    /// that these run.
    pub commands: Vec<Command>,
    /// The parts that could not be read. If there are any, the commands are incomplete.
    pub unread: Vec<Unread>,
    /// The names of the functions that the line defines.
    pub functions: Vec<String>,
    /// Texts that are evaluated anywhere beside commands: arithmetic, subscripts, and expansions
    /// that do more than insert a variable. Plain numbers are left out.
    pub evaluated: Vec<String>,
    pub(crate) loops: Vec<Loop>,
    /// For each shell but the line's own, the shell that starts it.
    pub(crate) shells: Vec<usize>,
    pub(crate) line: String,
    pub(crate) shape: Shape,
}

/// Whether a line is a single command, or one command piped into another.
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
    /// The line exceeds the length limit.
    TooLong,
    /// Texts or brackets are nested deeper than the limit.
    TooDeep,
    /// There are more commands than the limit.
    TooMany,
    /// All commands and texts of the line together exceed the limit. The whole line counts as
    /// unread, because a program in the missing part may have a name that does not occur in the
    /// line's text.
    NoRoom,
    /// The text is not valid shell syntax.
    Syntax,
    /// A shell runs a text that the line does not show.
    Hidden,
}

/// A simple command: a program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The command's words. Empty if the command only assigns or redirects.
    pub argv: Vec<Word>,
    pub assignments: Vec<Assignment>,
    pub redirects: Vec<Redirect>,
    pub stdin: Stdin,
    pub place: Place,
    /// A program in another language on the line, which the command interprets.
    pub code: Option<String>,
    pub inside: Inside,
    pub run: Run,
    pub(crate) depth: usize,
    /// Whether a word with an expansion also has quoted characters that look like one.
    pub(crate) is_ambiguous: bool,
    /// The positions of the command's words on the line. Empty if the command is in another text,
    /// such as one for `sh -c`.
    pub(crate) spans: Vec<Range<usize>>,
    /// The position on the line of the here-document that the command reads.
    pub(crate) body: Option<Range<usize>>,
}

/// The shell that runs a command, and whether the command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Run {
    /// The number of the shell; 0 is the line's own. Every bracket, substitution and text for a
    /// shell has its own shell, because the effect of `cd` ends with it.
    pub shell: usize,
    pub when: When,
}

/// Whether a command runs each time that the line runs, if nothing before it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    #[default]
    Always,
    /// The command follows `||`, or is in a branch, a loop with a condition, or a function.
    Perhaps,
}

/// The relation of a command to the commands that it contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    /// The command contains no known commands.
    Nothing,
    /// The command runs them, as `sudo`, `xargs` and `sh -c` do.
    Found,
    /// The command may run them. They are a guess, because one of its options is unknown or not
    /// literal.
    Guessed,
    /// The contained commands are readings of the command: its variables are replaced by the values
    /// that the line sets. They cover all values. So only the command's assignments need to be
    /// judged, not its words and redirects.
    Readings,
}

/// One word of a command, after quotes and escapes were resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Literal(String),
    /// One word whose text is known only when it runs. Expansions are kept as written.
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
    /// `a[i]=b`: the subscript is evaluated, and substitutions in it run.
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

/// The source of a command's standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stdin {
    Inherited,
    /// A here-document or here-string; `Literal` when nothing in it is expanded.
    Text(Arc<Word>),
    /// The output of the command with this index, or of a group of commands.
    Pipe(Option<usize>),
    File,
}

/// Where a command comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The command is on the line itself, at any depth of brackets and substitutions.
    Line,
    /// The command with this index runs the command, or the command is a reading of it with
    /// variables replaced. `Command::inside` of that command says which.
    Within(usize),
}

/// A line that is a single plain command, with its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone<'a> {
    pub argv: Vec<&'a str>,
    pub stdin: Option<String>,
}

impl Script {
    /// The script of a line that was not read for lack of time.
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

    /// The words that loops set the variable to, in order.
    pub fn looped<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Word> {
        self.loops.iter().filter(move |one| one.name == name).flat_map(|one| &one.words)
    }

    /// The names of the variables that loops set.
    pub fn loop_variables(&self) -> impl Iterator<Item = &str> {
        self.loops.iter().map(|one| one.name.as_str())
    }

    /// The shell that starts this shell; `None` for the line's own shell.
    pub fn outer_shell(&self, shell: usize) -> Option<usize> {
        self.shells.get(shell.checked_sub(1)?).copied()
    }

    /// Whether the word occurs, or may occur, in an unread part. If a program's name is unknown,
    /// the whole line is searched.
    pub fn mentions(&self, word: &str) -> bool {
        self.unread_mentions(word) || (self.runs_something_dynamic() && self.says(word))
    }

    /// The line that was read.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The position of a command's word on the line, quotes included. `None` if the command is not
    /// written on the line itself, but in a text for another shell or between backticks.
    pub fn span(&self, command: usize, word: usize) -> Option<Range<usize>> {
        let found = self.commands.get(command)?;
        if let Some(span) = found.spans.get(word) {
            return Some(span.clone());
        }
        let (outer, skipped) = self.run_as_written(command)?;
        self.span(outer, skipped + word)
    }

    /// The position on the line of the here-document that a command reads, as written.
    pub fn body(&self, command: usize) -> Option<Range<usize>> {
        let found = self.commands.get(command)?;
        let outer = || self.body(self.run_as_written(command)?.0);
        found.body.clone().or_else(outer)
    }

    /// The command whose own words contain this command, as for `sudo` and `env`, and the number of
    /// words before it.
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
    /// Whether the part was left unread because of a limit and may run programs whose names don't
    /// occur in its text.
    pub fn may_be_any(&self) -> bool {
        match self.why {
            Why::NoRoom => true,
            Why::TooDeep | Why::TooMany => self.text.contains(is_read),
            Why::TooLong | Why::Syntax | Why::Hidden => false,
        }
    }
}

/// Whether shells give this character a special meaning. In a text without such characters, every
/// program's name is written as it runs.
fn is_read(c: char) -> bool {
    !c.is_ascii_alphanumeric() && !c.is_ascii_whitespace() && !"_./-;&".contains(c)
}

impl Command {
    /// The program's base name; `None` if it is known only when the line runs.
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
        // The end of an expansion is not a name: `${bin:-/usr/bin/gh}`.
        (is_known || is_plain_name(base)).then_some(base)
    }

    /// Whether the command runs the program with this name. Ignores case, as some file systems do.
    pub fn runs(&self, name: &str) -> bool {
        self.program().is_some_and(|program| {
            // zsh runs `gh` for `=gh`.
            let program = program.strip_suffix(".exe").unwrap_or(program).trim_start_matches('=');
            program.eq_ignore_ascii_case(name)
        })
    }

    /// All words, if every one of them is literal.
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

    /// Whether the word has braces that may expand to any number of words.
    pub fn has_braces(&self) -> bool {
        matches!(self, Self::Spread(text) if braces::may_expand(text))
    }

    /// The text, with expansions as written.
    pub fn text(&self) -> &str {
        match self {
            Self::Literal(text) | Self::Dynamic(text) | Self::Spread(text) => text,
        }
    }
}

fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c))
}
