//! The value beside a key: where it ends, and whether it may be a secret at all.

use std::ops::Range;

use crate::marker;
use crate::symbol::{OUTSIDE_ASCII, Spelling, Symbol, is_word};

/// What is looked at to decide. A value that goes on longer is decided on its start, so that a
/// refused one is not read to its end again and again.
pub(crate) const PROBE: usize = 128;
/// A secret is followed this far.
const LONGEST: usize = 16 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub range: Range<usize>,
    pub quoting: Quoting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// Opened by this quote.
    Quoted(Symbol),
    Bare,
}

impl Value {
    /// The value at `at`, as far as is needed to judge it.
    pub(crate) fn probe(bytes: &[u8], at: usize) -> Self {
        Self::read(bytes, at, PROBE)
    }

    /// The same value, to its end.
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
            // A bare quote is the document's own, whatever opened the value.
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
        // Some writers of JSON put a backslash before every solidus.
        Spelling::Escaped { .. } => symbol.byte != b'/',
    }
}

/// The first symbol from `start` on that ends the value. Letters, digits, `-` and `_` never do.
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

/// A number may stand outside every string of a document, where a replacement cannot.
pub(crate) fn is_number(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
}

/// The words that, like numbers, may stand outside every string.
pub(crate) fn is_literal_word(text: &[u8]) -> bool {
    [&b"null"[..], b"true", b"false", b"none", b"nil"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// What follows a quote that closes a string of a document, when it was taken for an opening one.
pub(crate) fn is_structure(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start().first(), Some(b',' | b':' | b'}' | b']'))
}

/// Text that stands for a value to be filled in, or for nothing: `$NAME`, `<token>`, `****`.
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
        // Three dots leave something out; a dot and a star are the pattern of an editing command.
        b'.' => rest.starts_with(b"...") || rest.starts_with(b".*"),
        b'[' => marker::opens(rest) || rest.starts_with(b"[^"),
        0xe2 => rest.starts_with("…".as_bytes()),
        _ => false,
    }
}
