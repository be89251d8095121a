//! Quotes and expansions: what is inside of `"..."`, `${...}`, `$((...))` and backticks.

use std::collections::HashMap;

use crate::parser::word::ansi_c;
use crate::parser::{CommandsEnd, Frame, Parser};
use crate::reader::{Kind, Text};
use crate::script::Why;

impl Parser<'_> {
    /// Inside of double quotes or of a here-document.
    pub(super) fn double_step(&mut self, c: char, is_word: bool) {
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

    pub(super) fn parameter_step(&mut self, c: char, start: usize, in_double: bool) {
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

    pub(super) fn arithmetic_step(&mut self, c: char, start: usize, open: usize, is_word: bool) {
        match (c, open) {
            ('(', _) => self.reopen(Frame::Arithmetic { start, open: open + 1, is_word }),
            (')', 0) => {
                if !self.rest().starts_with("))") {
                    return self.stop(Why::Syntax);
                }
                self.at += 2;
                self.frames.pop();
                if is_word {
                    self.end_expansion(start, false);
                }
            }
            (')', _) => self.reopen(Frame::Arithmetic { start, open: open - 1, is_word }),
            _ => self.nested_step(c, false),
        }
    }

    pub(super) fn bracket_step(&mut self, c: char, start: usize, pair: (char, char), open: usize) {
        if c == pair.0 {
            self.reopen(Frame::Bracket { start, pair, open: open + 1 });
        } else if c == pair.1 && open > 0 {
            self.reopen(Frame::Bracket { start, pair, open: open - 1 });
        } else if c == pair.1 {
            self.at += 1;
            self.frames.pop();
            self.end_expansion(start, false);
        } else if c == '\'' && pair.0 == '(' {
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
    pub(super) fn dollar(&mut self, in_double: bool, is_word: bool) {
        if is_word {
            self.word();
        }
        let start = self.at;
        let after = self.after_next();
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
    pub(super) fn backticks(&mut self, in_double: bool) {
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

    /// From one single quote to the next, in a place that is not part of a word's text.
    fn skip_single(&mut self) {
        match self.rest().get(1..).and_then(|rest| rest.find('\'')) {
            Some(end) => self.at += end + 2,
            None => self.stop(Why::Syntax),
        }
    }

    /// Whether the `((` here is closed by `))`. Otherwise it is a subshell in a subshell.
    pub(super) fn is_arithmetic(&mut self, at: usize) -> bool {
        let text = self.text;
        let pairs = self.parentheses.get_or_insert_with(|| pairs(text));
        match (pairs.get(&at), pairs.get(&(at + 1))) {
            (Some(outer), Some(inner)) => inner + 1 == *outer,
            _ => false,
        }
    }

    pub(super) fn skip_comment(&mut self) {
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
