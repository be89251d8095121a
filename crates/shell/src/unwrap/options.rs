//! Passing over a program's options, to find its operands.

use crate::script::Word;

/// Which of a program's options take a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// Letters: `-n 5` and `-n5`, also at the end of several letters.
    pub(super) letters: &'static str,
    /// Names after `--`; a value after `=` needs no entry.
    pub(super) names: &'static [&'static str],
}

/// An option as it stands on the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Given<'a> {
    /// The letters before the one that takes a value are each given without one.
    Letter(char, Option<Value<'a>>),
    Name(&'a str, Option<Value<'a>>),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// The rest of the option's own word.
    Attached(&'a str),
    Next(&'a Word),
}

impl Value<'_> {
    pub(super) fn word(&self) -> Word {
        match self {
            Self::Attached(text) => Word::Literal((*text).to_owned()),
            Self::Next(word) => (*word).clone(),
        }
    }
}

impl Options {
    pub(super) const NONE: Self = Self { letters: "", names: &[] };

    /// The options at the beginning, and where the first operand is.
    pub(super) fn given<'a>(&self, words: &'a [Word]) -> (Vec<Given<'a>>, usize) {
        let mut given = Vec::new();
        let mut at = 0;
        while let Some(text) = words.get(at).map(Word::text) {
            if text == "--" {
                return (given, at + 1);
            }
            let next = words.get(at + 1).map(Value::Next);
            let takes_next = if let Some(name) = text.strip_prefix("--") {
                self.name(name, next, &mut given)
            } else if let Some(letters) = text.strip_prefix('-') {
                self.letters(letters, next, &mut given)
            } else {
                break;
            };
            at += if takes_next { 2 } else { 1 };
        }
        (given, at.min(words.len()))
    }

    fn name<'a>(&self, name: &'a str, next: Option<Value<'a>>, given: &mut Vec<Given<'a>>) -> bool {
        if let Some((name, value)) = name.split_once('=') {
            given.push(Given::Name(name, Some(Value::Attached(value))));
            return false;
        }
        // Long options may be shortened.
        let takes_next = self.names.iter().any(|known| known.starts_with(name));
        given.push(Given::Name(name, next.filter(|_| takes_next)));
        takes_next
    }

    fn letters<'a>(
        &self,
        letters: &'a str,
        next: Option<Value<'a>>,
        given: &mut Vec<Given<'a>>,
    ) -> bool {
        for (at, letter) in letters.char_indices() {
            if !self.letters.contains(letter) {
                given.push(Given::Letter(letter, None));
                continue;
            }
            let attached = &letters[at + letter.len_utf8()..];
            if attached.is_empty() {
                given.push(Given::Letter(letter, next));
                return true;
            }
            given.push(Given::Letter(letter, Some(Value::Attached(attached))));
            return false;
        }
        false
    }
}
