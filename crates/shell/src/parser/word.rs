//! Builds a word while it is being read.

use crate::script::Word;

#[derive(Debug)]
pub(super) struct WordBuilder {
    /// The position in the text where the word begins.
    pub(super) start: usize,
    text: String,
    certainty: Certainty,
    /// Whether any part of the word was quoted. A quoted word is not a keyword. If a
    /// here-document's delimiter is quoted, the here-document is not expanded.
    pub(super) is_quoted: bool,
    braces: Braces,
    in_bracket: bool,
    /// Whether the word's text contains quoted characters that look like an expansion.
    is_ambiguous: bool,
    /// The start of the variable name at the end of the text, if the name has no braces: `$a`.
    open_name: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    Literal,
    Dynamic,
    Spread,
}

/// The braces in a word. `{a,b}` and `{1..3}` expand to several words, `{}` and `{x}` don't.
#[derive(Debug)]
struct Braces {
    open: usize,
    has_separator: bool,
}

impl WordBuilder {
    pub(super) fn new(start: usize) -> Self {
        Self {
            start,
            text: String::new(),
            certainty: Certainty::Literal,
            is_quoted: false,
            braces: Braces { open: 0, has_separator: false },
            in_bracket: false,
            is_ambiguous: false,
            open_name: None,
        }
    }

    /// Adds a character that is not quoted.
    pub(super) fn push_bare(&mut self, c: char) {
        match c {
            '*' | '?' => self.spread(),
            '[' => self.in_bracket = true,
            ']' if self.in_bracket => self.spread(),
            '{' => self.braces.open += 1,
            ',' if self.braces.open > 0 => self.braces.has_separator = true,
            '.' if self.braces.open > 0 && self.text.ends_with('.') => {
                self.braces.has_separator = true;
            }
            '}' if self.braces.open > 0 => {
                self.braces.open -= 1;
                if self.braces.has_separator {
                    self.spread();
                }
            }
            _ => {}
        }
        self.end_name(c);
        self.text.push(c);
    }

    /// Adds braces around a variable name that the next character would extend: `"$a"b` becomes
    /// `${a}b`.
    fn end_name(&mut self, next: char) {
        if let Some(at) = self.open_name.take()
            && (next.is_ascii_alphanumeric() || next == '_')
        {
            self.text.insert(at, '{');
            self.text.push('}');
        }
    }

    pub(super) fn push_quoted(&mut self, text: &str) {
        self.is_quoted = true;
        self.is_ambiguous |= text.contains(['$', '`', '{', '}', '*', '?', '[']);
        if let Some(next) = text.chars().next() {
            self.end_name(next);
        }
        self.text.push_str(text);
    }

    pub(super) fn push_expansion(&mut self, source: &str, yields_one_word: bool) {
        let certainty = if yields_one_word { Certainty::Dynamic } else { Certainty::Spread };
        self.certainty = self.certainty.max(certainty);
        let is_name =
            source.as_bytes().get(1).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
        self.open_name = (is_name && source.starts_with('$')).then_some(self.text.len() + 1);
        self.text.push_str(source);
    }

    pub(super) fn spread(&mut self) {
        self.certainty = Certainty::Spread;
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The word's text, if it is literal and not quoted. Only such a word may be a keyword, a
    /// descriptor's number or a name.
    pub(super) fn bare(&self) -> Option<&str> {
        (!self.is_quoted && self.certainty == Certainty::Literal).then_some(&*self.text)
    }

    pub(super) fn is_ambiguous(&self) -> bool {
        self.is_ambiguous && self.certainty != Certainty::Literal
    }

    pub(super) fn finish(self) -> Word {
        match self.certainty {
            Certainty::Literal => Word::Literal(self.text),
            Certainty::Dynamic => Word::Dynamic(self.text),
            Certainty::Spread => Word::Spread(self.text),
        }
    }
}

/// Decodes the escapes of `$'...'`. `text` is the part between the quotes.
pub(super) fn ansi_c(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            decoded.push(c);
            continue;
        }
        let Some(escape) = rest.next() else {
            decoded.push('\\');
            break;
        };
        let number = match escape {
            'x' => digits(&mut rest, 16, 2, 0),
            'u' => digits(&mut rest, 16, 4, 0),
            'U' => digits(&mut rest, 16, 8, 0),
            '0'..='7' => digits(&mut rest, 8, 2, escape.to_digit(8).unwrap_or(0)),
            'c' => rest.next().map(|control| u32::from(control) & 0x1f),
            _ => None,
        };
        match (number.and_then(char::from_u32), simple_escape(escape)) {
            (Some(c), _) | (None, Some(c)) => decoded.push(c),
            (None, None) => decoded.extend(['\\', escape]),
        }
    }
    decoded
}

/// The character for an escape that `$'...'`, `printf` and `echo -e` all have.
pub(crate) fn simple_escape(escape: char) -> Option<char> {
    Some(match escape {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\x07',
        'b' => '\x08',
        'e' | 'E' => '\x1b',
        'f' => '\x0c',
        'v' => '\x0b',
        '\\' | '\'' | '"' | '?' => escape,
        _ => return None,
    })
}

fn digits(rest: &mut std::str::Chars<'_>, radix: u32, most: usize, first: u32) -> Option<u32> {
    let mut value = first;
    for _ in 0..most {
        let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(radix)) else { break };
        value = value.checked_mul(radix)?.checked_add(digit)?;
        rest.next();
    }
    Some(value)
}
