//! Reads one text of the shell's language, in one pass and without recursion.
//!
//! What is open at a place (quotes, substitutions, expansions) is a stack of frames, and each kind of
//! frame says what the next character means. Commands and their words are read by `grammar`, which
//! has a level for every substitution that is open.

use std::collections::HashMap;
use std::mem;

use crate::grammar::Level;
use crate::reader::{Found, Kind, Text};
use crate::script::{Place, Unread, Why};
use crate::word::{WordBuilder, ansi_c};

const MAX_FRAMES: usize = 64;

pub(crate) struct Parser<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    kind: Kind,
    pub(crate) place: Place,
    pub(crate) depth: usize,
    frames: Vec<Frame>,
    pub(crate) level: Level,
    outer: Vec<Level>,
    trouble: Option<Why>,
    /// Where each parenthesis is closed, once somebody asked.
    parentheses: Option<HashMap<usize, usize>>,
    pub(crate) found: &'a mut Found,
}

/// What is open, from the outermost on. Each knows where its source begins.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// `$(...)`, `<(...)`, `>(...)` and `${ ...; }`: commands on a level of their own.
    Commands { start: usize, yields_one_word: bool, end: CommandsEnd },
    /// `"..."`; only those that are not inside of another expansion belong to the word's text.
    Double { is_word: bool },
    /// `${...}`
    Parameter { start: usize, in_double: bool },
    /// `$((...))`, and `((...))`, which is no word.
    Arithmetic { start: usize, open: usize, is_word: bool },
    /// `a=(...)`, `@(...)` and `$[...]`
    Bracket { start: usize, pair: (char, char), open: usize },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CommandsEnd {
    Parenthesis,
    Brace,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a Text, found: &'a mut Found) -> Self {
        Self {
            text: &text.source,
            at: 0,
            kind: text.kind,
            place: text.place,
            depth: text.depth,
            frames: Vec::new(),
            level: Level::default(),
            outer: Vec::new(),
            trouble: None,
            parentheses: None,
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
            self.end_of_level();
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
            Some(Frame::Arithmetic { start, open, is_word }) => {
                self.arithmetic_step(c, start, open, is_word);
            }
            Some(Frame::Bracket { start, pair, open }) => self.bracket_step(c, start, pair, open),
        }
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Notes that the text is not read as it should be; the first reason stays.
    pub(crate) fn trouble(&mut self, why: Why) {
        self.trouble.get_or_insert(why);
    }

    pub(crate) fn stop(&mut self, why: Why) {
        self.trouble(why);
        self.at = self.text.len();
    }

    pub(crate) fn word(&mut self) -> &mut WordBuilder {
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

    pub(crate) fn open_double(&mut self, is_word: bool) {
        if is_word {
            self.word().push_quoted("");
        }
        self.push(Frame::Double { is_word }, 1);
    }

    /// `$(` and its like, `opening` bytes long.
    fn open_commands(&mut self, opening: usize, yields_one_word: bool, end: CommandsEnd) {
        let start = self.at;
        self.push(Frame::Commands { start, yields_one_word, end }, opening);
        let inner = Level::default();
        self.outer.push(mem::replace(&mut self.level, inner));
    }

    pub(crate) fn open_process(&mut self) {
        self.word();
        self.open_commands(2, true, CommandsEnd::Parenthesis);
    }

    /// `((`, after which a loop's body or an operator follows.
    pub(crate) fn open_arithmetic(&mut self) {
        self.push(Frame::Arithmetic { start: self.at, open: 0, is_word: false }, 2);
    }

    pub(crate) fn open_bracket(&mut self) {
        self.push(Frame::Bracket { start: self.at, pair: ('(', ')'), open: 0 }, 1);
    }

    /// `)` or `}` that ends the innermost substitution, if it is one of this kind.
    pub(crate) fn close_commands(&mut self, closing: char) -> bool {
        let end = if closing == '}' { CommandsEnd::Brace } else { CommandsEnd::Parenthesis };
        let Some(Frame::Commands { start, yields_one_word, end: expected }) = self.frames.last()
        else {
            return false;
        };
        let (start, yields_one_word) = (*start, *yields_one_word);
        if *expected != end {
            return false;
        }
        self.end_of_level();
        if let Some(level) = self.outer.pop() {
            self.level = level;
        }
        self.frames.pop();
        self.end_expansion(start, yields_one_word);
        true
    }

    /// The source from `start` on was an expansion: it is a part of the word, unless it is a part
    /// of a larger expansion.
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

    /// Inside of double quotes or of a here-document.
    fn double_step(&mut self, c: char, is_word: bool) {
        match c {
            '\\' => {
                let escaped = self.rest().chars().nth(1);
                let kept = match escaped {
                    Some('\n') => "",
                    Some('$' | '`' | '"' | '\\') => self.rest().get(1..2).unwrap_or_default(),
                    Some(_) => {
                        let end = 1 + escaped.map_or(0, char::len_utf8);
                        self.rest().get(..end).unwrap_or_default()
                    }
                    None => "\\",
                };
                if is_word {
                    self.word().push_quoted(kept);
                }
                self.at += 1 + escaped.map_or(0, char::len_utf8);
            }
            '$' => self.dollar(true, is_word),
            '`' => self.backticks(true),
            _ => {
                let plain = self.rest().find(['\\', '$', '`', '"']).unwrap_or(self.rest().len());
                let end = plain.max(c.len_utf8());
                if is_word {
                    let text = self.rest().get(..end).unwrap_or_default();
                    self.word().push_quoted(text);
                }
                self.at += end;
            }
        }
    }

    fn parameter_step(&mut self, c: char, start: usize, in_double: bool) {
        match c {
            '}' => {
                self.at += 1;
                self.frames.pop();
                self.end_expansion(start, false);
            }
            '\'' if !in_double => self.skip_single(),
            _ => self.nested_step(c, in_double),
        }
    }

    fn arithmetic_step(&mut self, c: char, start: usize, open: usize, is_word: bool) {
        match (c, open) {
            ('(', _) => self.reopen(Frame::Arithmetic { start, open: open + 1, is_word }),
            (')', 0) => {
                self.at += if self.rest().starts_with("))") { 2 } else { 1 };
                self.frames.pop();
                if is_word {
                    self.end_expansion(start, false);
                }
            }
            (')', _) => self.reopen(Frame::Arithmetic { start, open: open - 1, is_word }),
            _ => self.nested_step(c, false),
        }
    }

    fn bracket_step(&mut self, c: char, start: usize, pair: (char, char), open: usize) {
        if c == pair.0 {
            self.reopen(Frame::Bracket { start, pair, open: open + 1 });
        } else if c == pair.1 && open > 0 {
            self.reopen(Frame::Bracket { start, pair, open: open - 1 });
        } else if c == pair.1 {
            self.at += 1;
            self.frames.pop();
            self.end_expansion(start, false);
        } else if c == '\'' {
            self.skip_single();
        } else if c == '#' && self.text[..self.at].ends_with([' ', '\t', '\n']) {
            self.skip_comment();
        } else {
            self.nested_step(c, false);
        }
    }

    /// The same frame with another count of what is open in it.
    fn reopen(&mut self, frame: Frame) {
        self.frames.pop();
        self.frames.push(frame);
        self.at += 1;
    }

    /// What has a meaning inside of every expansion.
    fn nested_step(&mut self, c: char, in_double: bool) {
        match c {
            '\\' => self.at += 1 + self.rest().chars().nth(1).map_or(0, char::len_utf8),
            '"' => self.open_double(false),
            '$' => self.dollar(in_double, false),
            '`' => self.backticks(in_double),
            '<' | '>' if self.rest().get(1..2) == Some("(") && !in_double => {
                self.open_commands(2, true, CommandsEnd::Parenthesis);
            }
            _ => self.at += c.len_utf8(),
        }
    }

    /// A dollar sign and what belongs to it.
    pub(crate) fn dollar(&mut self, in_double: bool, is_word: bool) {
        if is_word {
            self.word();
        }
        let start = self.at;
        let after = self.rest().get(1..).unwrap_or_default();
        let next = after.chars().next();
        match next {
            Some('(') if after.starts_with("((") && self.is_arithmetic(start + 1) => {
                self.push(Frame::Arithmetic { start, open: 0, is_word: true }, 3);
            }
            Some('(') => self.open_commands(2, false, CommandsEnd::Parenthesis),
            Some('{') if after[1..].starts_with([' ', '\t', '\n', '|']) => {
                self.open_commands(2, false, CommandsEnd::Brace);
            }
            Some('{') => self.push(Frame::Parameter { start, in_double }, 2),
            Some('[') => self.push(Frame::Bracket { start, pair: ('[', ']'), open: 0 }, 2),
            Some('\'') if !in_double => self.ansi_c_string(is_word),
            Some('"') if !in_double => self.at += 1,
            Some(c) if c.is_ascii_alphanumeric() || "_@*#?-$!".contains(c) => {
                let name = if c.is_ascii_alphabetic() || c == '_' {
                    after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                } else {
                    Some(1)
                };
                self.at += 1 + name.unwrap_or(after.len());
                self.end_expansion(start, false);
            }
            _ => {
                if is_word {
                    self.word().push_bare('$');
                }
                self.at += 1;
            }
        }
    }

    fn ansi_c_string(&mut self, is_word: bool) {
        let body = self.rest().get(2..).unwrap_or_default();
        let mut is_escaped = false;
        let end = body.find(|c| {
            let ends = c == '\'' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let Some(end) = end else { return self.stop(Why::Syntax) };
        if is_word {
            self.word().push_quoted(&ansi_c(&body[..end]));
        }
        self.at += 2 + end + 1;
    }

    /// Commands between backticks are a text of their own, because of their escapes.
    pub(crate) fn backticks(&mut self, in_double: bool) {
        let start = self.at;
        let mut inner = String::new();
        let mut rest = self.rest().char_indices().skip(1);
        let end = loop {
            match rest.next() {
                None => return self.stop(Why::Syntax),
                Some((at, '`')) => break at,
                Some((_, '\\')) => match rest.next() {
                    Some((_, c @ ('`' | '\\' | '$'))) => inner.push(c),
                    Some((_, '"')) if in_double => inner.push('"'),
                    Some((_, c)) => inner.extend(['\\', c]),
                    None => return self.stop(Why::Syntax),
                },
                Some((_, c)) => inner.push(c),
            }
        };
        if self.takes_words() {
            self.word();
        }
        self.at += end + 1;
        let (place, depth) = (self.place, self.depth + 1);
        self.found.texts.push_back(Text { source: inner, kind: Kind::Commands, place, depth });
        self.end_expansion(start, false);
    }

    fn takes_words(&self) -> bool {
        match self.frames.last() {
            None => self.kind == Kind::Commands,
            Some(Frame::Commands { .. } | Frame::Double { is_word: true }) => true,
            Some(_) => false,
        }
    }

    /// From one single quote to the next, in a place that is not part of a word's text.
    fn skip_single(&mut self) {
        match self.rest().get(1..).and_then(|rest| rest.find('\'')) {
            Some(end) => self.at += end + 2,
            None => self.stop(Why::Syntax),
        }
    }

    /// Whether the `((` here is closed by `))`. Otherwise it is a subshell in a subshell.
    pub(crate) fn is_arithmetic(&mut self, at: usize) -> bool {
        let text = self.text;
        let pairs = self.parentheses.get_or_insert_with(|| pairs(text));
        match (pairs.get(&at), pairs.get(&(at + 1))) {
            (Some(outer), Some(inner)) => inner + 1 == *outer,
            _ => false,
        }
    }

    pub(crate) fn skip_comment(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }
}

fn pairs(text: &str) -> HashMap<usize, usize> {
    let mut pairs = HashMap::new();
    let mut open = Vec::new();
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => {}
            b'(' => open.push(at),
            b')' => {
                if let Some(start) = open.pop() {
                    pairs.insert(start, at);
                }
            }
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    pairs
}
