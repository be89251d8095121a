//! Parses quotes and expansions: the inside of `"..."`, `${...}`, `$((...))` and backticks.

use crate::parser::word::ansi_c;
use crate::parser::{Bracket, CommandsEnd, Frame, Parser};
use crate::reader::{Kind, Text};
use crate::script::Why;

impl Parser<'_> {
    /// Processes one character inside double quotes or a here-document.
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
                self.note_parameter(start);
                self.end_expansion(start, false);
            }
            '\'' if !in_double => self.skip_single(),
            '\'' => {
                // In this place, bash pairs the single quotes and expands the text between them.
                // Other shells do neither. So the text is certain only if both give the same
                // result.
                let between = self.after_next().split_once('\'').map(|(between, _)| between);
                let is_same = |text: &&str| !text.contains(['"', '{', '}', '$', '`', '\\']);
                if let Some(between) = between.filter(is_same) {
                    self.at += between.len() + 2;
                } else {
                    self.trouble(Why::Syntax);
                    self.at += 1;
                }
            }
            _ => self.nested_step(c, in_double),
        }
    }

    pub(super) fn arithmetic_step(
        &mut self,
        c: char,
        start: usize,
        open: usize,
        is_word: bool,
        end: usize,
    ) {
        match (c, open) {
            ('(', _) => self.reopen(Frame::Arithmetic { start, open: open + 1, is_word, end }),
            (')', 0) => {
                if self.at != end {
                    return self.stop(Why::Syntax);
                }
                self.note_evaluated(start, self.at);
                self.at += 2;
                self.frames.pop();
                if is_word {
                    self.end_expansion(start, false);
                }
            }
            (')', _) => self.reopen(Frame::Arithmetic { start, open: open - 1, is_word, end }),
            ('\'', _) => self.skip_single(),
            _ => self.nested_step(c, false),
        }
    }

    /// Records a text that the shell evaluates as a number. At `start` is the opening sign of the
    /// text.
    fn note_evaluated(&mut self, start: usize, end: usize) {
        let text =
            self.text.get(start..end).unwrap_or_default().trim_start_matches(['$', '(', '[']);
        let is_number = |c: char| c.is_ascii_digit() || " +-*/%()<>=".contains(c);
        if !text.chars().all(is_number) && !matches!(text, "@" | "*") {
            self.found.evaluated.push(text.to_owned());
        }
    }

    /// Records the text of a `${...}` that does more than insert a variable. `${!x}` looks up the
    /// variable that `x` names, `${x@P}` runs its value, and `${x:y}` and `${x[y]}` evaluate `y`.
    fn note_parameter(&mut self, start: usize) {
        let text = self.text.get(start..self.at).unwrap_or_default();
        let inner = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
        let Some(inner) = inner else { return };
        let name = inner.trim_start_matches('#');
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let after = end.map_or("", |end| &name[end..]);
        let is_plain_subscript = |text: &str| {
            let inner = text.split_once(']').map_or("", |(inner, _)| inner);
            matches!(inner, "@" | "*") || inner.bytes().all(|byte| byte.is_ascii_digit())
        };
        let evaluates = match after.split_at_checked(1) {
            Some(("!", _)) => end == Some(0) && name.len() > 1,
            Some(("[", rest)) => !is_plain_subscript(rest),
            Some((":", rest)) => !rest.starts_with(['-', '=', '+', '?']),
            _ => false,
        };
        let is_offset = |c: char| c.is_ascii_digit() || " -:".contains(c);
        let is_number = after.strip_prefix(':').is_some_and(|rest| rest.chars().all(is_offset));
        if (evaluates && !is_number) || after.contains('@') && after.contains('P') {
            self.found.evaluated.push(text.to_owned());
        }
    }

    pub(super) fn bracket_step(&mut self, c: char, start: usize, kind: Bracket, open: usize) {
        let (opening, closing) = match kind {
            Bracket::Array | Bracket::Pattern => ('(', ')'),
            Bracket::Subscript => ('[', ']'),
        };
        let begins_word = || self.text[..self.at].ends_with([' ', '\t', '\n', '(']);
        match c {
            _ if c == opening => self.reopen(Frame::Bracket { start, kind, open: open + 1 }),
            _ if c == closing && open > 0 => {
                self.reopen(Frame::Bracket { start, kind, open: open - 1 });
            }
            _ if c == closing => {
                if kind == Bracket::Subscript {
                    self.note_evaluated(start, self.at);
                }
                self.at += 1;
                self.frames.pop();
                self.end_expansion(start, false);
            }
            '\'' => self.skip_single(),
            '#' if kind == Bracket::Array && begins_word() => self.skip_comment(),
            // A subscript may contain `#`, which begins a comment elsewhere: `a=([ #]=b)`.
            '[' if kind == Bracket::Array && begins_word() => {
                self.open_bracket(Bracket::Subscript, 1);
            }
            _ => self.nested_step(c, false),
        }
    }

    /// Replaces the innermost frame by the same frame with a new count of open brackets.
    fn reopen(&mut self, frame: Frame) {
        self.frames.pop();
        self.frames.push(frame);
        self.at += 1;
    }

    /// Processes one character that has a meaning inside every expansion.
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

    /// Reads a dollar sign and the expansion after it.
    pub(super) fn dollar(&mut self, in_double: bool, is_word: bool) {
        if is_word {
            self.word();
        }
        let start = self.at;
        let joined = escaped_ends(self.after_next());
        let after = self.after_next().get(joined..).unwrap_or_default();
        let next = after.chars().next();
        if joined > 0 && next.is_some_and(|c| begins_expansion(c) || "({['\"".contains(c)) {
            // Shells remove escaped line ends before they parse, but this parser does not do so
            // everywhere.
            self.trouble(Why::Syntax);
        }
        match next {
            Some('(') => match self.arithmetic_end(start + 1 + joined) {
                Some(end) => {
                    self.push(Frame::Arithmetic { start, open: 0, is_word: true, end }, 3 + joined);
                }
                None => self.open_commands(2 + joined, false, CommandsEnd::Parenthesis),
            },
            Some('{') if after[1..].starts_with([' ', '\t', '\n', '|']) => {
                self.open_commands(2 + joined, false, CommandsEnd::Brace);
            }
            Some('{') => self.push(Frame::Parameter { start, in_double }, 2 + joined),
            Some('[') => {
                self.needs_bash();
                self.open_bracket(Bracket::Subscript, 2 + joined);
            }
            Some('\'') if !in_double && joined == 0 => self.ansi_c_string(is_word),
            Some('"') if !in_double => {
                self.needs_bash();
                self.at += 1 + joined;
            }
            Some(c) if begins_expansion(c) => {
                let name = if is_in_name(c) && !c.is_ascii_digit() {
                    after.find(|c: char| !is_in_name(c))
                } else {
                    Some(1)
                };
                self.at += 1 + joined + name.unwrap_or(after.len());
                let goes_on = self.rest().get(escaped_ends(self.rest())..).unwrap_or_default();
                if self.rest().starts_with("\\\n") && goes_on.starts_with(is_in_name) {
                    self.trouble(Why::Syntax);
                }
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
        self.needs_bash();
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

    /// Reads commands between backticks. They are queued as a separate text, because backticks have
    /// their own escapes.
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
        let (place, depth, dialect) = (self.place, self.depth + 1, self.dialect);
        let (stdin, run) = (self.level.feed.clone(), self.level.run);
        let text = Text { source: inner, kind: Kind::Commands, place, depth, dialect, stdin, run };
        self.found.queue(text);
        self.end_expansion(start, false);
    }

    /// Skips a single-quoted string that is not part of a word's text.
    fn skip_single(&mut self) {
        match self.rest().get(1..).and_then(|rest| rest.find('\'')) {
            Some(end) => self.at += end + 2,
            None => self.stop(Why::Syntax),
        }
    }

    /// The position of the `))` that closes the `((` at `at`. `None` means that the `((` opens a
    /// subshell in a subshell.
    pub(super) fn arithmetic_end(&mut self, at: usize) -> Option<usize> {
        let inner = self.text.get(at..)?.strip_prefix("((")?;
        let length = closed_after(inner.as_bytes(), &mut self.ahead);
        if self.ahead == 0 {
            self.stop(Why::TooDeep);
        }
        let end = at + 2 + length?;
        self.text[end..].starts_with("))").then_some(end)
    }

    pub(super) fn skip_comment(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a dollar sign before this character begins an expansion.
fn begins_expansion(c: char) -> bool {
    is_in_name(c) || "@*#?-$!".contains(c)
}

/// The number of bytes of escaped line ends at the beginning of the text.
fn escaped_ends(text: &str) -> usize {
    text.len() - text.trim_start_matches("\\\n").len()
}

/// The position where an open parenthesis is closed. Quoted parentheses are ignored.
fn closed_after(text: &[u8], ahead: &mut usize) -> Option<usize> {
    let mut open = 1;
    let mut quote = None;
    let mut bytes = text.iter().enumerate();
    while let Some((at, &byte)) = bytes.next() {
        *ahead = ahead.saturating_sub(1);
        if *ahead == 0 {
            return None;
        }
        match (byte, quote) {
            (b'\\', None | Some(b'"' | b'`')) => {
                bytes.next();
            }
            (_, Some(expected)) if byte == expected => quote = None,
            (b'\'' | b'"' | b'`', None) => quote = Some(byte),
            (b'(', None) => open += 1,
            (b')', None) => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}
