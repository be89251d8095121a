//! Reads one character of a text that may be escaped.
//!
//! Text may be escaped up to two times: a quote may be `"`, `\"`, `\\\"`, `\u0022`, `%22` or
//! `&quot;`, and a line break `\n` or `\\n`. The recognizers read symbols. So an escape sequence
//! counts as the character that it means, and is never split.

use std::ops::Range;

/// The `Symbol::byte` of any character outside of ASCII.
pub(crate) const OUTSIDE_ASCII: u8 = 0x80;
/// The `Symbol::byte` of a whole terminal control sequence, such as a change of colour.
pub(crate) const CONTROL_SEQUENCE: u8 = 0x1b;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    /// The character, or [`OUTSIDE_ASCII`] or [`CONTROL_SEQUENCE`].
    pub byte: u8,
    pub end: usize,
    pub spelling: Spelling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    Plain,
    /// The character is after backslashes, in this many levels of quoting.
    Escaped {
        depth: u32,
    },
    /// The character is encoded as in a URL (`%22`) or in markup (`&quot;`).
    Encoded,
}

impl Spelling {
    /// The number of levels of quoting around the symbol. A quote can only close a quote of the
    /// same depth.
    pub(crate) fn depth(self) -> u32 {
        match self {
            Self::Plain => 0,
            Self::Escaped { depth } => depth,
            Self::Encoded => u32::MAX,
        }
    }
}

impl Symbol {
    #[inline]
    pub(crate) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let first = *bytes.get(at)?;
        Some(match first {
            b'\\' | b'%' | b'&' | 0x1b | 0x80.. => Self::spelled_out(bytes, at, first),
            _ => plain(first, at),
        })
    }

    fn spelled_out(bytes: &[u8], at: usize, first: u8) -> Self {
        match first {
            b'\\' => backslash(bytes, at),
            b'%' => percent(bytes, at).unwrap_or_else(|| plain(first, at)),
            b'&' => entity(bytes, at).unwrap_or_else(|| plain(first, at)),
            0x1b => {
                Self { byte: first, end: control_end(bytes, at + 1), spelling: Spelling::Plain }
            }
            _ => Self {
                byte: OUTSIDE_ASCII,
                end: (at + character_length(first)).min(bytes.len()),
                spelling: Spelling::Plain,
            },
        }
    }

    pub(crate) fn is_quote(self) -> bool {
        matches!(self.byte, b'"' | b'\'' | b'`')
    }

    pub(crate) fn is_line_break(self) -> bool {
        matches!(self.byte, b'\n' | b'\r')
    }

    pub(crate) fn is_space(self) -> bool {
        matches!(self.byte, b' ' | b'\t' | CONTROL_SEQUENCE)
    }
}

fn plain(byte: u8, at: usize) -> Symbol {
    Symbol { byte, end: at + 1, spelling: Spelling::Plain }
}

fn character_length(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        _ => 2,
    }
}

fn backslash(bytes: &[u8], at: usize) -> Symbol {
    let count = bytes[at..].iter().take_while(|byte| **byte == b'\\').count();
    let after = at + count;
    let (byte, length) = match bytes.get(after) {
        Some(b'n') => (b'\n', 1),
        Some(b'r') => (b'\r', 1),
        Some(b't') => (b'\t', 1),
        Some(b'b' | b'f') => (b' ', 1),
        // After an even number of backslashes, the quote isn't escaped. Each pair means one
        // backslash.
        Some(b'"') if count % 2 == 0 => (b'\\', 0),
        Some(quote @ (b'"' | b'\'' | b'`' | b'/')) => (*quote, 1),
        Some(b'e') if bytes.get(after + 1) == Some(&b'[') => (CONTROL_SEQUENCE, 1),
        Some(b'u') => hexadecimal(bytes, after + 1, 4).map_or((b'\\', 0), |code| (code, 5)),
        Some(b'x') => hexadecimal(bytes, after + 1, 2).map_or((b'\\', 0), |code| (code, 3)),
        Some(b'0') if bytes[after..].starts_with(b"033[") => (CONTROL_SEQUENCE, 3),
        _ => (b'\\', 0),
    };
    let mut end = after + length;
    if byte == CONTROL_SEQUENCE {
        end = control_end(bytes, end);
    }
    // Each level of quoting doubles the backslashes and adds one before a quote of its own kind.
    let is_quote = bytes.get(after) == Some(&b'"') && byte == b'"';
    let depth = if is_quote { count.trailing_ones() } else { count.ilog2() + 1 };
    Symbol { byte, end, spelling: Spelling::Escaped { depth } }
}

fn percent(bytes: &[u8], at: usize) -> Option<Symbol> {
    let byte = hexadecimal(bytes, at + 1, 2)?;
    Some(Symbol { byte, end: at + 3, spelling: Spelling::Encoded })
}

fn entity(bytes: &[u8], at: usize) -> Option<Symbol> {
    const ENTITIES: [(&[u8], u8); 6] = [
        (b"&quot;", b'"'),
        (b"&#34;", b'"'),
        (b"&#39;", b'\''),
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&amp;", b'&'),
    ];
    let (name, byte) = *ENTITIES.iter().find(|(name, _)| bytes[at..].starts_with(name))?;
    Some(Symbol { byte, end: at + name.len(), spelling: Spelling::Encoded })
}

fn hexadecimal(bytes: &[u8], at: usize, digits: usize) -> Option<u8> {
    let mut code = 0;
    for digit in bytes.get(at..at + digits)? {
        code = code * 16 + char::from(*digit).to_digit(16)?;
    }
    Some(u8::try_from(code).ok().filter(u8::is_ascii).unwrap_or(OUTSIDE_ASCII))
}

/// The end of a terminal control sequence whose escape character ends at `at`.
fn control_end(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) != Some(&b'[') {
        return at;
    }
    let parameters = bytes[at + 1..]
        .iter()
        .take(16)
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b'?'))
        .count();
    let last = at + 1 + parameters;
    if bytes.get(last).is_some_and(u8::is_ascii_alphabetic) { last + 1 } else { at }
}

/// Reads symbols from `at` on.
pub(crate) fn symbols(bytes: &[u8], at: usize) -> impl Iterator<Item = (usize, Symbol)> {
    let mut next = at;
    std::iter::from_fn(move || {
        let start = next;
        let symbol = Symbol::at(bytes, start)?;
        next = symbol.end;
        Some((start, symbol))
    })
}

/// Splits a range at its escape sequences and at unescaped quotes. Both belong to the document and
/// must stay.
pub(crate) fn pieces(bytes: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = range.start;
    for (at, symbol) in symbols(bytes, range.start) {
        if at >= range.end {
            break;
        }
        let belongs_to_document =
            matches!(symbol.spelling, Spelling::Escaped { .. }) || bytes[at] == b'"';
        if belongs_to_document {
            if start < at {
                out.push(start..at);
            }
            start = symbol.end;
        }
    }
    if start < range.end {
        out.push(start..range.end);
    }
    out
}

/// A run of letters, digits, `-` and `_`. Words and most tokens have this form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub range: Range<usize>,
    /// Whether the word contains `-`, `_` or a digit.
    pub is_compound: bool,
}

impl Word {
    /// The word that starts at `at`. Empty if there is none.
    pub(crate) fn at(bytes: &[u8], at: usize) -> Self {
        let mut end = at;
        let mut seen = 0;
        while let Some(class) = bytes.get(end).map(|byte| CLASS[usize::from(*byte)])
            && class != 0
        {
            seen |= class;
            end += 1;
        }
        Self { range: at..end, is_compound: seen & JOINT != 0 }
    }
}

pub(crate) fn is_word(byte: u8) -> bool {
    CLASS[usize::from(byte)] != 0
}

pub(crate) fn word_end(bytes: &[u8], at: usize) -> usize {
    Word::at(bytes, at).range.end
}

const LETTER: u8 = 1;
const JOINT: u8 = 2;

const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut letter = b'a';
    while letter <= b'z' {
        table[letter as usize] = LETTER;
        table[letter.to_ascii_uppercase() as usize] = LETTER;
        letter += 1;
    }
    let mut digit = b'0';
    while digit <= b'9' {
        table[digit as usize] = JOINT;
        digit += 1;
    }
    table[b'_' as usize] = JOINT;
    table[b'-' as usize] = JOINT;
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    const ESCAPED_ONCE: Spelling = Spelling::Escaped { depth: 1 };
    const ESCAPED_TWICE: Spelling = Spelling::Escaped { depth: 2 };

    #[track_caller]
    fn check(text: &str, byte: u8, length: usize, spelling: Spelling) {
        assert_eq!(Symbol::at(text.as_bytes(), 0), Some(Symbol { byte, end: length, spelling }));
    }

    #[test]
    fn an_escape_sequence_is_one_symbol() {
        check("a", b'a', 1, Spelling::Plain);
        check("\\nx", b'\n', 2, ESCAPED_ONCE);
        check("\\\\nx", b'\n', 3, ESCAPED_TWICE);
        check("\\\\\\\"x", b'"', 4, ESCAPED_TWICE);
        check("\\\\\"x", b'\\', 2, ESCAPED_TWICE);
        check("\\\\\\\\\\\"x", b'"', 6, ESCAPED_ONCE);
        check("\\u0022x", b'"', 6, ESCAPED_ONCE);
        check("\\\\u0022x", b'"', 7, ESCAPED_TWICE);
        check("\\u00e9x", OUTSIDE_ASCII, 6, ESCAPED_ONCE);
        check("\\u00", b'\\', 1, ESCAPED_ONCE);
        check("\\d", b'\\', 1, ESCAPED_ONCE);
        check("%3Dx", b'=', 3, Spelling::Encoded);
        check("&quot;x", b'"', 6, Spelling::Encoded);
        check("%zz", b'%', 1, Spelling::Plain);
        check("é=", OUTSIDE_ASCII, 2, Spelling::Plain);
        check("\u{1b}[31mx", CONTROL_SEQUENCE, 5, Spelling::Plain);
        check("\\u001b[0;1mx", CONTROL_SEQUENCE, 11, ESCAPED_ONCE);
    }

    #[test]
    fn a_range_is_cut_at_what_the_document_needs() {
        let text = br#"ab\"cd\\nef%40g"h"#;
        let cut: Vec<&[u8]> = pieces(text, 0..text.len()).into_iter().map(|r| &text[r]).collect();
        assert_eq!(cut, [&b"ab"[..], b"cd", b"ef%40g", b"h"]);
    }
}
