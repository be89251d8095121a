//! Splits a TOML file into its statements, so that a broken statement doesn't affect the others.
//!
//! The TOML parser's own recovery is not enough: after a key without `=` it drops the rest of the
//! file, and an unclosed array includes the rest of the file. In this module, a statement ends with
//! its line, unless a bracket or a multi-line string is still open. After a broken statement,
//! reading continues at the next line that looks like a statement.

use toml::Spanned;
use toml::de::DeTable;

pub(crate) struct Statement<'a> {
    pub(crate) text: &'a str,
    /// The number in the file of the first line of `text`.
    pub(crate) line: u32,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Header,
    Assignment,
    /// The statement is an assignment with an unclosed bracket or multi-line string, which begins
    /// at this offset.
    Unclosed(usize),
}

/// The reason why a statement is not valid TOML.
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    /// The position of the error, in bytes from the start of the statement.
    pub(crate) offset: usize,
}

impl<'a> Statement<'a> {
    pub(crate) fn is_header(&self) -> bool {
        self.shape == Shape::Header
    }

    pub(crate) fn parse(&self) -> Result<Spanned<DeTable<'a>>, SyntaxError> {
        if let Shape::Unclosed(offset) = self.shape {
            return Err(SyntaxError {
                message: "the bracket or quote that opens here is never \
                                               closed"
                    .into(),
                offset,
            });
        }
        DeTable::parse(self.text).map_err(|error| SyntaxError {
            message: error.message().to_owned(),
            offset: error.span().map_or(0, |span| span.start),
        })
    }

    /// The line and column in the file of a byte of this statement.
    pub(crate) fn position(&self, offset: usize) -> (u32, u32) {
        let (lines, column) = end_position(self.text.get(..offset).unwrap_or(self.text));
        (self.line + lines - 1, column)
    }
}

/// Iterates over the statements of a text. Blank lines and comment lines are skipped.
pub(crate) struct Statements<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Statements<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1 }
    }

    /// The number of bytes of the text after the last returned statement.
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Continues reading inside a broken statement, at its next line that looks like a statement.
    /// If there is no such line, continues after the broken statement.
    pub(crate) fn resume_inside(&mut self, broken: &Statement<'a>, source: &'a str) {
        let end = source.len() - self.rest.len();
        let mut inside = Self { rest: broken.text, line: broken.line };
        inside.skip_line();
        while !inside.rest.is_empty() {
            if begins_statement(first_line(inside.rest)) {
                self.rest = &source[end - inside.rest.len()..];
                self.line = inside.line;
                return;
            }
            inside.skip_line();
        }
    }

    fn skip_line(&mut self) {
        self.advance(first_line(self.rest).len());
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (text, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += count_lines(text);
        text
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        loop {
            let line = first_line(self.rest);
            if line.is_empty() {
                return None;
            }
            let number = self.line;
            let start = line.trim_ascii_start();
            if start.is_empty() || start.starts_with('#') {
                self.advance(line.len());
                continue;
            }
            let (length, shape) = if start.starts_with('[') {
                (line.len(), Shape::Header)
            } else {
                measure_assignment(self.rest)
            };
            return Some(Statement { text: self.advance(length), line: number, shape });
        }
    }
}

/// The line and column directly after the last character of `text`.
pub(crate) fn end_position(text: &str) -> (u32, u32) {
    let line_start = text.rfind('\n').map_or(0, |newline| newline + 1);
    let column = text[line_start..].chars().count() + 1;
    (count_lines(text) + 1, u32::try_from(column).unwrap_or(u32::MAX))
}

fn first_line(text: &str) -> &str {
    text.find('\n').map_or(text, |newline| &text[..=newline])
}

fn count_lines(text: &str) -> u32 {
    let newlines = text.bytes().filter(|byte| *byte == b'\n').count();
    u32::try_from(newlines).unwrap_or(u32::MAX)
}

/// Whether a line looks like the start of a statement. A quoted key doesn't count, because a line
/// inside a broken array may start with a quoted text.
fn begins_statement(line: &str) -> bool {
    let line = line.trim_ascii();
    if line.starts_with('[') {
        return DeTable::parse(line).is_ok();
    }
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"_-. \t".contains(&byte);
    line.bytes()
        .position(|byte| !is_bare(byte))
        .is_some_and(|at| at > 0 && line[at..].starts_with('='))
}

/// The length and shape of the assignment with which `text` begins.
fn measure_assignment(text: &str) -> (usize, Shape) {
    let bytes = text.as_bytes();
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' if open.is_empty() => return (at + 1, Shape::Assignment),
            b'#' => {
                at = line_end(bytes, at);
                continue;
            }
            b'"' | b'\'' => match string_end(bytes, at) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => return (bytes.len(), Shape::Unclosed(at)),
            },
            b'[' | b'{' => open.push(at),
            b']' | b'}' => {
                open.pop();
            }
            _ => {}
        }
        at += 1;
    }
    let shape = open.first().map_or(Shape::Assignment, |outermost| Shape::Unclosed(*outermost));
    (bytes.len(), shape)
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| from + at)
}

/// The position after the string that starts at `start`. For an unclosed single-line string, the
/// position of the end of the line. `None` for an unclosed multi-line string.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes[start];
    let triple = [quote; 3];
    let is_multi_line = bytes[start..].starts_with(&triple);
    let mut at = start + if is_multi_line { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' && quote == b'"' {
            // An escaped newline still ends a single-line string.
            at += if bytes.get(at + 1) == Some(&b'\n') { 1 } else { 2 };
        } else if is_multi_line && bytes[at..].starts_with(&triple) {
            // One or two quotes of the text may come directly before the three closing quotes.
            let more = bytes[at + 3..].iter().take(2).take_while(|byte| **byte == quote).count();
            return Some(at + 3 + more);
        } else if !is_multi_line && byte == quote {
            return Some(at + 1);
        } else if !is_multi_line && byte == b'\n' {
            return Some(at);
        } else {
            at += 1;
        }
    }
    if is_multi_line { None } else { Some(bytes.len()) }
}
