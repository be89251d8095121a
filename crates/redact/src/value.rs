//! Finds the end of the value next to a key, and decides whether it may be a secret.

use std::ops::Range;

use crate::marker;
use crate::symbol::{OUTSIDE_ASCII, Spelling, Symbol, is_word};

/// The maximum number of bytes of a value that are examined. A longer value is judged by its start,
/// so that a rejected value isn't read to its end repeatedly.
pub(crate) const PROBE: usize = 128;
/// The maximum length of a secret in bytes.
const LONGEST: usize = 16 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub range: Range<usize>,
    pub quoting: Quoting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// The value is in quotes. The symbol is its opening quote.
    Quoted(Symbol),
    Bare,
}

impl Value {
    /// Reads the value at `at`, up to [`PROBE`] bytes.
    pub(crate) fn probe(bytes: &[u8], at: usize) -> Self {
        Self::read(bytes, at, PROBE)
    }

    /// The whole range of the value, also beyond the bytes that were examined.
    pub(crate) fn complete(self, bytes: &[u8]) -> Range<usize> {
        let end = match self.quoting {
            Quoting::Quoted(quote) => quoted_end(bytes, quote, LONGEST),
            Quoting::Bare => bare_end(bytes, self.range.start, LONGEST),
        };
        self.range.start..end
    }

    pub(crate) fn is_quoted(&self) -> bool {
        self.quoting != Quoting::Bare
    }

    fn read(bytes: &[u8], at: usize, limit: usize) -> Self {
        match Symbol::at(bytes, at) {
            Some(quote) if quote.is_quote() => Self {
                range: quote.end..quoted_end(bytes, quote, limit),
                quoting: Quoting::Quoted(quote),
            },
            _ => Self { range: at..bare_end(bytes, at, limit), quoting: Quoting::Bare },
        }
    }
}

fn quoted_end(bytes: &[u8], quote: Symbol, limit: usize) -> usize {
    let depth = quote.spelling.depth();
    let ends = |symbol: Symbol| {
        let is_as_deep = symbol.spelling.depth() <= depth;
        is_as_deep
            && (symbol.byte == quote.byte || symbol.is_line_break())
            // An unescaped quote belongs to the document, whichever sign opened the value. So it
            // ends the value.
            || symbol.byte == b'"' && symbol.spelling.depth() < depth.max(1)
    };
    end_before(bytes, quote.end, limit, ends)
}

fn bare_end(bytes: &[u8], at: usize, limit: usize) -> usize {
    end_before(bytes, at, limit, ends_bare)
}

fn ends_bare(symbol: Symbol) -> bool {
    let is_stop = symbol.is_quote()
        || symbol.is_space()
        || symbol.is_line_break()
        || matches!(symbol.byte, b',' | b';' | b'&' | b'|' | b'<' | b'>' | b'{' | b'}')
        || symbol.byte == OUTSIDE_ASCII
        || symbol.byte.is_ascii_control();
    match symbol.spelling {
        Spelling::Plain => is_stop || matches!(symbol.byte, b'(' | b')' | b'[' | b']'),
        Spelling::Encoded => is_stop,
        // Some JSON writers escape every slash, so an escaped slash doesn't end the value.
        Spelling::Escaped { .. } => symbol.byte != b'/',
    }
}

/// The position of the first symbol from `start` on that ends the value. Letters, digits, `-` and
/// `_` don't end a value.
fn end_before(bytes: &[u8], start: usize, limit: usize, ends: impl Fn(Symbol) -> bool) -> usize {
    let mut at = start;
    let cap = bytes.len().min(start + limit);
    while at < cap {
        if is_word(bytes[at]) {
            at += 1;
            continue;
        }
        match Symbol::at(bytes, at) {
            Some(symbol) if !ends(symbol) => at = symbol.end,
            _ => break,
        }
    }
    at
}

/// Whether the text is a number. In a document, a number may be outside of strings, where a
/// replacement would be invalid.
pub(crate) fn is_number(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
}

/// Whether the text is a word that may be outside of a document's strings, as numbers may.
pub(crate) fn is_literal_word(text: &[u8]) -> bool {
    [&b"null"[..], b"true", b"false", b"none", b"nil"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether `text` is the syntax after the closing quote of a string in a document. If so, the quote
/// before `text` closes a string.
pub(crate) fn is_structure(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start().first(), Some(b',' | b':' | b'}' | b']'))
}

/// Whether the text is empty or a placeholder for a value: `$NAME`, `<token>`, `****`.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    let Some(first) = value.first() else { return true };
    let names_variable = *first == b'$'
        && value[1..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    names_variable
        || matches!(first, b'<' | b'{')
        || value.iter().all(|byte| byte == first || matches!(byte, b'-' | b'.' | b'_'))
        || (*first == b'%' && value.ends_with(b"%"))
        || [&b"%s"[..], b"%(", b"\\u{"].iter().any(|format| value.starts_with(format))
        || value.iter().enumerate().any(|(at, byte)| starts_reference(*byte, &value[at..]))
}

fn starts_reference(byte: u8, rest: &[u8]) -> bool {
    match byte {
        b'$' => matches!(rest.get(1), Some(b'{' | b'(')),
        b'#' | b'{' => rest.get(1) == Some(&b'{'),
        // Three dots mark an omission. A dot and a star are a pattern, as in an editing command.
        b'.' => rest.starts_with(b"...") || rest.starts_with(b".*"),
        b'[' => marker::opens(rest) || rest.starts_with(b"[^"),
        0xe2 => rest.starts_with("…".as_bytes()),
        _ => false,
    }
}
