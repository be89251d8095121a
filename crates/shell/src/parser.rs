//! Parses one text in the shell's language, in one pass and without recursion.
//!
//! A stack of frames holds the open quotes, substitutions and expansions. The kind of the innermost
//! frame decides the meaning of the next character. A level holds the state for commands. Every
//! open substitution has its own level.

use std::mem;

use crate::dialect::Dialect;
use crate::reader::{Found, Kind, Text};
use crate::script::{Place, Unread, Why};

mod command;
mod expansion;
mod grammar;
mod level;
mod redirect;
mod word;

use level::Level;
use word::WordBuilder;

pub(crate) use word::simple_escape;

const MAX_FRAMES: usize = 64;
/// The total number of bytes that lookaheads may read, as a multiple of the text's length.
const LOOKS_AHEAD: usize = 4;

pub(crate) struct Parser<'a> {
    text: &'a str,
    at: usize,
    kind: Kind,
    place: Place,
    depth: usize,
    dialect: Dialect,
    frames: Vec<Frame>,
    level: Level,
    outer: Vec<Level>,
    trouble: Option<Why>,
    /// The number of bytes that lookaheads may still read. Lookaheads tell arithmetic from
    /// subshells.
    ahead: usize,
    found: &'a mut Found,
}

/// An open quote, substitution or expansion.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// `$(...)`, `<(...)`, `>(...)` and `${ ...; }`: commands on a level of their own. `start` is
    /// the position where the source of the frame begins.
    Commands {
        start: usize,
        yields_one_word: bool,
        end: CommandsEnd,
    },
    /// `"..."`. `is_word` is whether its characters belong to the word's text. They don't if the
    /// quotes are inside another expansion.
    Double {
        is_word: bool,
    },
    /// A parameter expansion: `${...}`.
    Parameter {
        start: usize,
        in_double: bool,
    },
    /// `$((...))`, or the command `((...))`, which is not a word. A lookahead already found its
    /// end.
    Arithmetic {
        start: usize,
        open: usize,
        is_word: bool,
        end: usize,
    },
    Bracket {
        start: usize,
        kind: Bracket,
        open: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// An array assignment: `a=(...)`.
    Array,
    /// An extended pattern: `@(...)`.
    Pattern,
    /// A subscript, or old-style arithmetic: `a[...]=`, `$[...]`.
    Subscript,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CommandsEnd {
    Parenthesis,
    Brace,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a Text, found: &'a mut Found) -> Self {
        // The commands of the command line itself run in the first shell. Any other text starts a
        // shell.
        let run = match text.place {
            Place::Line if text.depth == 0 => text.run,
            _ => found.started_by(text.run),
        };
        Self {
            text: &text.source,
            at: 0,
            kind: text.kind,
            place: text.place,
            depth: text.depth,
            dialect: text.dialect,
            frames: Vec::new(),
            level: Level::reading(text.stdin.clone(), run),
            outer: Vec::new(),
            trouble: None,
            ahead: LOOKS_AHEAD * text.source.len(),
            found,
        }
    }

    pub(crate) fn run(mut self) {
        while let Some(c) = self.rest().chars().next() {
            self.step(c);
        }
        if !self.frames.is_empty() {
            self.trouble(Why::Syntax);
        }
        loop {
            self.end_level();
            let Some(level) = self.outer.pop() else { break };
            self.level = level;
        }
        if let Some(why) = self.trouble {
            self.found.unread.push(Unread { why, text: self.text.to_owned() });
        }
    }

    fn step(&mut self, c: char) {
        match self.frames.last().copied() {
            None => match self.kind {
                Kind::Commands => self.command_step(c),
                Kind::Body => self.double_step(c, false),
            },
            Some(Frame::Commands { .. }) => self.command_step(c),
            Some(Frame::Double { .. }) if c == '"' => {
                self.frames.pop();
                self.at += 1;
            }
            Some(Frame::Double { is_word }) => self.double_step(c, is_word),
            Some(Frame::Parameter { start, in_double }) => self.parameter_step(c, start, in_double),
            Some(Frame::Arithmetic { start, open, is_word, end }) => {
                self.arithmetic_step(c, start, open, is_word, end);
            }
            Some(Frame::Bracket { start, kind, open }) => self.bracket_step(c, start, kind, open),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text after the next character, which must be one byte long. Empty at the end of the
    /// text.
    fn after_next(&self) -> &'a str {
        self.rest().get(1..).unwrap_or_default()
    }

    /// Records that the text can't be parsed correctly, and why. The first reason is kept, except a
    /// syntax fault: parsing continues after it, so a later reason replaces it.
    fn trouble(&mut self, why: Why) {
        let before = self.trouble.filter(|before| *before != Why::Syntax);
        self.trouble = Some(before.unwrap_or(why));
    }

    /// Records a syntax fault unless the shell is known to be bash, because only bash surely reads
    /// this syntax as this parser does.
    fn needs_bash(&mut self) {
        if self.dialect == Dialect::Any {
            self.trouble(Why::Syntax);
        }
    }

    fn stop(&mut self, why: Why) {
        self.trouble(why);
        self.at = self.text.len();
    }

    fn word(&mut self) -> &mut WordBuilder {
        let start = self.at;
        self.level.word.get_or_insert_with(|| WordBuilder::new(start))
    }

    fn push(&mut self, frame: Frame, opening: usize) {
        if self.frames.len() >= MAX_FRAMES {
            return self.stop(Why::TooDeep);
        }
        self.frames.push(frame);
        self.at += opening;
    }

    fn open_double(&mut self, is_word: bool) {
        if is_word {
            self.word().push_quoted("");
        }
        self.push(Frame::Double { is_word }, 1);
    }

    /// Opens `$(` or a similar substitution, whose opening is `opening` bytes long.
    fn open_commands(&mut self, opening: usize, yields_one_word: bool, end: CommandsEnd) {
        let start = self.at;
        self.push(Frame::Commands { start, yields_one_word, end }, opening);
        let run = self.found.started_by(self.level.run);
        let inner = Level::reading(self.level.feed.clone(), run);
        self.outer.push(mem::replace(&mut self.level, inner));
    }

    /// Opens `<(` and similar substitutions.
    fn open_process(&mut self, opening: usize) {
        self.word();
        self.open_commands(opening, true, CommandsEnd::Parenthesis);
    }

    /// Opens `((`, which is a command of its own or the head of a `for` loop.
    fn open_arithmetic(&mut self, end: usize) {
        self.push(Frame::Arithmetic { start: self.at, open: 0, is_word: false, end }, 2);
    }

    fn open_bracket(&mut self, kind: Bracket, opening: usize) {
        self.push(Frame::Bracket { start: self.at, kind, open: 0 }, opening);
    }

    /// Closes the innermost substitution at the character `closing`, if this character closes it.
    /// Returns whether it did.
    fn close_commands(&mut self, closing: char) -> bool {
        let end = if closing == '}' { CommandsEnd::Brace } else { CommandsEnd::Parenthesis };
        let Some(Frame::Commands { start, yields_one_word, end: expected }) = self.frames.last()
        else {
            return false;
        };
        let (start, yields_one_word) = (*start, *yields_one_word);
        if *expected != end {
            return false;
        }
        self.end_level();
        if let Some(level) = self.outer.pop() {
            self.level = level;
        }
        self.frames.pop();
        self.end_expansion(start, yields_one_word);
        true
    }

    /// Ends an expansion whose source begins at `start`. The expansion becomes a part of the word,
    /// unless it is inside a larger expansion.
    fn end_expansion(&mut self, start: usize, yields_one_word: bool) {
        let source = self.text.get(start..self.at).unwrap_or_default();
        match self.frames.last() {
            None if self.kind == Kind::Body => {}
            None | Some(Frame::Commands { .. }) => {
                self.word().push_expansion(source, yields_one_word);
            }
            Some(Frame::Double { is_word: true }) => {
                let is_list = source.starts_with("$@")
                    || source.starts_with("${@")
                    || (source.starts_with("${") && source.contains("[@]"));
                self.word().push_expansion(source, !is_list);
            }
            Some(_) => {}
        }
    }

    /// Whether this text is the command line itself, not a text that a command of it runs.
    fn is_line(&self) -> bool {
        self.kind == Kind::Commands && self.place == Place::Line && self.depth == 0
    }

    fn takes_words(&self) -> bool {
        match self.frames.last() {
            None => self.kind == Kind::Commands,
            Some(Frame::Commands { .. } | Frame::Double { is_word: true }) => true,
            Some(_) => false,
        }
    }
}
