//! Finds characters that make a command line look different from what it runs.

use crate::script::{Script, Word};

/// A character that people don't see, or mistake for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
    /// A control character other than a tab and the end of a line.
    Control(char),
    /// A character that is invisible, looks like a blank, or changes the order of the displayed
    /// text.
    Invisible(char),
    /// A character outside ASCII in a program's name. The name may look like that of another
    /// program.
    Name(char),
}

impl Script {
    /// The first odd character of the command line or of a program's name.
    pub fn odd(&self) -> Option<Odd> {
        if self.line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n')) {
            return self.name();
        }
        let odd = |c: char| match c {
            '\t' | '\n' => None,
            _ if c.is_control() => Some(Odd::Control(c)),
            _ if is_invisible(c) => Some(Odd::Invisible(c)),
            _ => None,
        };
        self.line.chars().find_map(odd).or_else(|| self.name())
    }

    /// The first odd character in a program's name. An escape such as `$'\u0440m'` can hide this
    /// character from the text of the command line.
    fn name(&self) -> Option<Odd> {
        let names = self.commands.iter().filter_map(|command| command.argv.first());
        names.flat_map(|name: &Word| name.text().chars()).find_map(|c| {
            let is_plain = c.is_ascii() && !c.is_ascii_control();
            (!is_plain && c != '\n').then_some(Odd::Name(c))
        })
    }
}

const INVISIBLE: &[(char, char)] = &[
    ('\u{a0}', '\u{a0}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{2000}', '\u{200f}'),
    ('\u{2028}', '\u{202f}'),
    ('\u{205f}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{e0000}', '\u{e007f}'),
];

fn is_invisible(c: char) -> bool {
    INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn odd_characters_are_told() {
        let cases = [
            ("ls -l\t'a\nb'", None),
            ("echo 'grün ✔'", None),
            ("git status\r", Some(Odd::Control('\r'))),
            ("ls\0", Some(Odd::Control('\0'))),
            ("echo \u{202e}x", Some(Odd::Invisible('\u{202e}'))),
            ("rm\u{a0}x", Some(Odd::Invisible('\u{a0}'))),
            ("echo 'a\u{200b}b'", Some(Odd::Invisible('\u{200b}'))),
            ("l\u{455} -l", Some(Odd::Name('\u{455}'))),
            ("$'l\\u0455' -l", Some(Odd::Name('\u{455}'))),
            ("true && c\u{430}t x", Some(Odd::Name('\u{430}'))),
        ];
        for (line, odd) in cases {
            assert_eq!(read(line).odd(), odd, "{line:?}");
        }
    }
}
