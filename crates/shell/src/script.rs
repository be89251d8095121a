//! The result of reading a command line: the commands that it runs, and the unread parts.

use std::ops::Range;
use std::sync::Arc;

use crate::{braces, mention};

/// All commands that a command line runs, as far as its text shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The commands that are written on the command line itself, ordered by the ends of their first
    /// words. After them, the commands that these commands run.
    pub commands: Vec<Command>,
    /// The parts of the command line that could not be read. If there are any, `commands` is
    /// incomplete.
    pub unread: Vec<Unread>,
    /// The names of the functions that the command line defines.
    pub functions: Vec<String>,
    /// Texts that the shell evaluates outside of commands: arithmetic, subscripts, and expansions
    /// that do more than insert a variable. Plain numbers are left out.
    pub evaluated: Vec<String>,
    pub(crate) loops: Vec<Loop>,
    /// For each shell except that of the command line, the number of the shell that starts it.
    pub(crate) shells: Vec<usize>,
    pub(crate) line: String,
    pub(crate) shape: Shape,
}

/// Whether a command line is a single command, or one command piped into another.
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

/// A part of the command line that was not read, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    pub why: Why,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The command line exceeds the maximum length.
    TooLong,
    /// Texts or brackets are nested too deeply.
    TooDeep,
    /// There are too many commands.
    TooMany,
    /// All commands and texts together exceed the maximum total length. The whole command line
    /// counts as unread, because a program in the missing part may have a name that its text does
    /// not contain.
    NoRoom,
    /// The text is not valid shell syntax.
    Syntax,
    /// A shell runs a text that the command line does not show.
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
    /// The text of a program in another language, such as Python, that this command interprets.
    pub code: Option<String>,
    pub inside: Inside,
    pub run: Run,
    pub(crate) depth: usize,
    /// Whether a word that contains an expansion also contains quoted characters that look like
    /// one.
    pub(crate) is_ambiguous: bool,
    /// The positions of the command's words on the command line. Empty if the command is part of
    /// another text, such as one for `sh -c`.
    pub(crate) spans: Vec<Range<usize>>,
    /// The position, on the command line, of the here-document that the command reads.
    pub(crate) body: Option<Range<usize>>,
}

/// The shell that runs a command, and whether the command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Run {
    /// The number of the shell. The command line's own shell has the number 0. Every bracket,
    /// substitution and text for a shell has its own shell, because the effect of `cd` ends with
    /// it.
    pub shell: usize,
    pub when: When,
}

/// Whether a command always runs when the command line runs, if nothing before it fails.
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
    /// The command runs the contained commands, as `sudo`, `xargs` and `sh -c` do.
    Found,
    /// The command may run the contained commands. They are a guess, because an option of the
    /// command is unknown or not literal.
    Guessed,
    /// The contained commands are readings of the command: variants in which its variables are
    /// replaced by the values that the command line sets. The readings cover all values. So only
    /// the command's assignments must be judged, not its words and redirects.
    Readings,
}

/// One word of a command, after quotes and escapes were resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Literal(String),
    /// One word whose text is known only when the command line runs. Expansions are kept as
    /// written.
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
    /// The assignment replaces the value: `a=b`.
    Set,
    /// The assignment appends to the value: `a+=b`.
    Append,
    /// The assignment sets an element of an array: `a[i]=b`. The subscript is evaluated, and
    /// substitutions in it run.
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
    /// The redirect duplicates another descriptor, or closes this one.
    Duplicate,
}

/// The source of a command's standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stdin {
    Inherited,
    /// A here-document or here-string. The word is `Literal` if nothing in it is expanded.
    Text(Arc<Word>),
    /// The output of the command with this index, or of a group of commands.
    Pipe(Option<usize>),
    File,
}

/// The origin of a command: the command line itself, or another command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The command is written on the command line itself, at any depth of brackets and
    /// substitutions.
    Line,
    /// The command belongs to the command with this index. That command runs it, or it is a reading
    /// of that command with variables replaced. `Command::inside` of that command tells which.
    Within(usize),
}

/// A command line that is a single plain command, with its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone<'a> {
    pub argv: Vec<&'a str>,
    pub stdin: Option<String>,
}

impl Script {
    /// The script of a command line that was not read for lack of time.
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

    /// The words that the `for` loops of the command line set the variable to, in order.
    pub fn looped<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Word> {
        self.loops.iter().filter(move |one| one.name == name).flat_map(|one| &one.words)
    }

    /// The names of the variables that the `for` loops of the command line set.
    pub fn loop_variables(&self) -> impl Iterator<Item = &str> {
        self.loops.iter().map(|one| one.name.as_str())
    }

    /// The number of the shell that starts this shell. `None` for the command line's own shell.
    pub fn outer_shell(&self, shell: usize) -> Option<usize> {
        self.shells.get(shell.checked_sub(1)?).copied()
    }

    /// Whether the word occurs, or may occur, in an unread part. If the name of a program is
    /// unknown, the whole command line is searched.
    pub fn mentions(&self, word: &str) -> bool {
        self.unread_mentions(word) || (self.runs_something_dynamic() && self.says(word))
    }

    /// The text of the command line that was read.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The position of a command's word on the command line, including quotes. `None` if the
    /// command is not written on the command line itself, but in a text for another shell or
    /// between backticks.
    pub fn span(&self, command: usize, word: usize) -> Option<Range<usize>> {
        let found = self.commands.get(command)?;
        if let Some(span) = found.spans.get(word) {
            return Some(span.clone());
        }
        let (outer, skipped) = self.run_as_written(command)?;
        self.span(outer, skipped + word)
    }

    /// The position, on the command line, of the here-document that a command reads.
    pub fn body(&self, command: usize) -> Option<Range<usize>> {
        let found = self.commands.get(command)?;
        let outer = || self.body(self.run_as_written(command)?.0);
        found.body.clone().or_else(outer)
    }

    /// The command whose own words contain this command, as with `sudo` and `env`. Also returns the
    /// number of its words before this command.
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
    /// Whether the unread part may run programs whose names its text doesn't contain. This is so
    /// only for parts that exceed a limit.
    pub fn may_be_any(&self) -> bool {
        match self.why {
            Why::NoRoom => true,
            Why::TooDeep | Why::TooMany => self.text.contains(is_read),
            Why::TooLong | Why::Syntax | Why::Hidden => false,
        }
    }
}

/// Whether shells may give this character a special meaning. A text without such characters
/// contains the name of every program that it runs.
fn is_read(c: char) -> bool {
    !c.is_ascii_alphanumeric() && !c.is_ascii_whitespace() && !"_./-;&".contains(c)
}

impl Command {
    /// The program's base name. `None` if it is known only when the command line runs.
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
        // The end of an expansion is not a program's name: `${bin:-/usr/bin/gh}`.
        (is_known || is_plain_name(base)).then_some(base)
    }

    /// Whether the command runs the program with this name. Ignores case, as some file systems do.
    pub fn runs(&self, name: &str) -> bool {
        self.program().is_some_and(|program| {
            // In zsh, `=gh` runs `gh`.
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

    /// The text of the word, with expansions as written.
    pub fn text(&self) -> &str {
        match self {
            Self::Literal(text) | Self::Dynamic(text) | Self::Spread(text) => text,
        }
    }
}

fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c))
}
