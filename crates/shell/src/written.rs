//! Maps the characters of a word to their positions in its source.
//!
//! A caller that changes a word must keep the rest of the word byte for byte, with its quotes,
//! escapes and variables. So a caller cuts characters out of the source instead of composing a new
//! word.

use std::ops::Range;

use crate::parser::simple_escape;

/// The character that stands, in the text of a word, for a part that is known only when the command
/// line runs.
pub const OPEN: char = '\u{fffc}';

/// A word of a command line, character by character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    text: String,
    letters: Vec<Letter>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Letter {
    /// The character's position in the text of the word.
    at: usize,
    source: Range<usize>,
    /// The number of the quoted or unquoted part of the word that contains the character.
    part: usize,
    is_open: bool,
}

/// The quotes around a character, which determine its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Single,
    Double,
    /// The quotes of `$'...'`, in which escapes have the same meaning as in C.
    AnsiC,
}

impl Written {
    /// Reads the source of one bash word. Variables of the form `$name` are accepted. `None` if the
    /// word has substitutions or other expansions.
    pub fn read(source: &str) -> Option<Self> {
        let mut reader = Reader {
            source,
            at: 0,
            part: 0,
            quotes: Quotes::None,
            text: String::new(),
            letters: vec![],
        };
        while reader.at < source.len() {
            reader.step()?;
        }
        let Reader { quotes, text, letters, .. } = reader;
        (quotes == Quotes::None).then_some(Self { text, letters })
    }

    /// The word's text, with [`OPEN`] for each variable.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The source range of exactly this part of the text. `None` in three cases: the part is not
    /// within one pair of quotes, it contains a variable, or nothing of the word would be left
    /// without it.
    pub fn source_of(&self, text: Range<usize>) -> Option<Range<usize>> {
        let first = self.letters.partition_point(|letter| letter.at < text.start);
        let last = self.letters.partition_point(|letter| letter.at < text.end);
        let letters = self.letters.get(first..last)?;
        let (start, end) = (letters.first()?, letters.last()?);
        let is_whole = start.at == text.start
            && self.letters.get(last).map_or(self.text.len(), |next| next.at) == text.end;
        let is_closed = letters.iter().all(|letter| letter.part == start.part && !letter.is_open);
        let is_left = start.part > 0 || letters.len() < self.letters.len();
        (is_whole && is_closed && is_left).then_some(start.source.start..end.source.end)
    }
}

struct Reader<'a> {
    source: &'a str,
    at: usize,
    part: usize,
    quotes: Quotes,
    text: String,
    letters: Vec<Letter>,
}

impl Reader<'_> {
    fn step(&mut self) -> Option<()> {
        let rest = &self.source[self.at..];
        let c = rest.chars().next()?;
        match (self.quotes, c) {
            (Quotes::None, '\'') => self.quote(Quotes::Single, 1),
            (Quotes::None, '"') => self.quote(Quotes::Double, 1),
            (Quotes::None, '$') if rest.starts_with("$'") => self.quote(Quotes::AnsiC, 2),
            (Quotes::Single | Quotes::AnsiC, '\'') | (Quotes::Double, '"') => {
                self.quote(Quotes::None, 1);
            }
            (Quotes::None | Quotes::Double, '`') => return None,
            (Quotes::None | Quotes::Double, '$') => self.dollar(rest)?,
            (Quotes::None, '\\') => match rest.chars().nth(1) {
                Some('\n') => self.at += 2,
                Some(escaped) => self.letter(escaped, 1 + escaped.len_utf8()),
                None => self.letter(c, 1),
            },
            (Quotes::Double, '\\') => match rest.chars().nth(1) {
                Some('\n') => self.at += 2,
                Some(escaped @ ('$' | '`' | '"' | '\\')) => self.letter(escaped, 2),
                Some(_) | None => self.letter(c, 1),
            },
            (Quotes::AnsiC, '\\') => self.escape(rest),
            _ => self.letter(c, c.len_utf8()),
        }
        Some(())
    }

    /// Reads a quotation mark of `length` bytes. `quotes` is the kind of quotes for the next
    /// characters.
    fn quote(&mut self, quotes: Quotes, length: usize) {
        self.quotes = quotes;
        self.part += 1;
        self.at += length;
    }

    fn letter(&mut self, c: char, length: usize) {
        self.push(c, length, false);
    }

    fn push(&mut self, c: char, length: usize, is_open: bool) {
        let source = self.at..self.at + length;
        self.letters.push(Letter { at: self.text.len(), source, part: self.part, is_open });
        self.text.push(c);
        self.at += length;
    }

    fn dollar(&mut self, rest: &str) -> Option<()> {
        let after = &rest[1..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match after.chars().next() {
            Some('(' | '{' | '[') => return None,
            // Bash translates `$"..."` into the user's language, so its text is unknown.
            Some('"') if self.quotes == Quotes::None => return None,
            Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => self.push(OPEN, 2, true),
            Some(c) if is_part(c) => {
                let name = after.find(|c| !is_part(c)).unwrap_or(after.len());
                self.push(OPEN, 1 + name, true);
            }
            Some(_) | None => self.letter('$', 1),
        }
        Some(())
    }

    /// Reads an escape of `$'...'`. A number in it stands for a byte, which need not be a whole
    /// character.
    fn escape(&mut self, rest: &str) {
        let mut after = rest[1..].chars();
        let digits = |most: usize, radix| {
            rest[2..].chars().take(most).take_while(|c: &char| c.is_digit(radix)).count()
        };
        match after.next() {
            Some('x') => self.push(OPEN, 2 + digits(2, 16), true),
            Some('u') => self.push(OPEN, 2 + digits(4, 16), true),
            Some('U') => self.push(OPEN, 2 + digits(8, 16), true),
            Some('0'..='7') => self.push(OPEN, 2 + digits(2, 8), true),
            Some('c') => self.push(OPEN, 2 + after.next().map_or(0, char::len_utf8), true),
            Some(c) => match simple_escape(c) {
                Some(escaped) => self.letter(escaped, 2),
                None => self.letter('\\', 1),
            },
            None => self.letter('\\', 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn cut(source: &str, taken: &str) -> Option<String> {
        let written = Written::read(source)?;
        let at = written.text().find(taken).unwrap_or_else(|| panic!("{:?}", written.text()));
        let range = written.source_of(at..at + taken.len())?;
        Some(format!("{}{}", &source[..range.start], &source[range.end..]))
    }

    #[test]
    fn characters_are_taken_out_and_the_rest_stays_as_it_is_written() {
        for (source, taken, expected) in [
            ("'a b'", " b", Some("'a'")),
            ("\"a \\\"b\\\" c\"", "\"b\"", Some("\"a  c\"")),
            ("\"$a b\"", " b", Some("\"$a\"")),
            ("\"a\\\nb\"", "b", Some("\"a\\\n\"")),
            ("$'a\\n\\nb'", "\n\nb", Some("$'a'")),
            ("$'a\\x41b'", "b", Some("$'a\\x41'")),
            ("'日本'$'\\n'\"語\"", "本", Some("'日'$'\\n'\"語\"")),
            ("a\\ b", " ", Some("ab")),
            ("\"5$\"", "5", Some("\"$\"")),
            // The text is not within one pair of quotes.
            ("'a'b", "ab", None),
            ("'it'\"'\"'s'", "t's", None),
            // The escape gives a byte that is not a whole character.
            ("$'a\\xe9b'", "\u{fffc}", None),
            ("\"a$b\"", "a\u{fffc}", None),
            ("\"a$(b)\"", "a", None),
            ("\"a`b`\"", "a", None),
            ("\"${a}b\"", "b", None),
            ("'a", "a", None),
            ("'a'", "a", Some("''")),
            ("a", "a", None),
        ] {
            let found = Written::read(source).and_then(|_| cut(source, taken));
            assert_eq!(found.as_deref(), expected, "{source} {taken}");
        }
    }

    #[test]
    fn a_part_of_a_character_is_nothing() {
        let written = Written::read("'日本'").unwrap();
        assert_eq!(written.source_of(0..3), Some(1..4));
        assert_eq!(written.source_of(0..2), None);
        assert_eq!(written.source_of(1..3), None);
        assert_eq!(written.source_of(3..9), None);
    }
}
