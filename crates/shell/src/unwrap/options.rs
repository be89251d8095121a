//! Skips a program's options to find its operands.

use crate::script::Word;

/// A program's options, and whether each option takes a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// The option letters. `a` takes no value. `a:` takes the rest of its word or the next word as
    /// a value. `a::` takes only the rest of its word.
    pub(super) letters: &'static str,
    /// The long names, separated by spaces and without `--`. A name that takes a value ends with
    /// `=`. In a command, any of these names may have a value after `=`.
    pub(super) names: &'static str,
}

/// The options at the beginning of a command's arguments.
#[derive(Debug)]
pub(super) struct Passed<'a> {
    pub(super) given: Vec<Given<'a>>,
    /// The index of the first operand among the arguments.
    pub(super) first: usize,
    /// Whether all options are known, so that the first operand is certain.
    pub(super) is_known: bool,
}

/// An option as written in a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Given<'a> {
    /// An option letter, with its value. In `-abVALUE`, where `b` takes a value, `a` is a separate
    /// option without a value.
    Letter(char, Option<Value<'a>>),
    Name(&'a str, Option<Value<'a>>),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// The value is the rest of the option's word.
    Attached(&'a str),
    Next(&'a Word),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arity {
    None,
    Attached,
    Value,
    Unknown,
}

impl Value<'_> {
    pub(super) fn word(&self) -> Word {
        match self {
            Self::Attached(text) => Word::Literal((*text).to_owned()),
            Self::Next(word) => (*word).clone(),
        }
    }
}

impl Given<'_> {
    /// The value of this option, if the option has one of these letters or names.
    pub(super) fn value_of(&self, letters: &str, names: &[&str]) -> Option<String> {
        let value = match self {
            Self::Letter(letter, Some(value)) if letters.contains(*letter) => value,
            Self::Name(name, Some(value)) if names.contains(name) => value,
            Self::Letter(..) | Self::Name(..) => return None,
        };
        Some(value.word().text().to_owned())
    }
}

impl Options {
    pub(super) const NONE: Self = Self { letters: "", names: "" };

    /// Reads the options at the beginning of a command's arguments.
    pub(super) fn pass<'a>(&self, words: &'a [Word]) -> Passed<'a> {
        let mut passed = Passed { given: Vec::new(), first: 0, is_known: true };
        while let Some(word) = words.get(passed.first) {
            let text = word.text();
            if text == "--" {
                passed.first += 1;
                return passed;
            }
            if !text.starts_with('-') || text == "-" {
                break;
            }
            passed.is_known &= word.literal().is_some();
            let next = words.get(passed.first + 1);
            let takes_next = match text.strip_prefix("--") {
                Some(name) => self.name(name, next, &mut passed),
                None => self.letters(&text[1..], next, &mut passed),
            };
            passed.first = (passed.first + 1 + usize::from(takes_next)).min(words.len());
        }
        passed
    }

    /// Collects the options anywhere in a command's arguments, also after operands.
    pub(super) fn pass_all<'a>(&self, words: &'a [Word]) -> Passed<'a> {
        let mut all = self.pass(words);
        let mut at = all.first;
        while at < words.len() {
            let more = self.pass(&words[at + 1..]);
            at += 1 + more.first;
            all.given.extend(more.given);
            all.is_known &= more.is_known;
        }
        all
    }

    fn name<'a>(&self, name: &'a str, next: Option<&'a Word>, passed: &mut Passed<'a>) -> bool {
        let (name, attached) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (name, None),
        };
        let arity = self.arity_of_name(name);
        if let Some(value) = attached {
            passed.is_known &= arity != Arity::Unknown;
            passed.given.push(Given::Name(name, Some(Value::Attached(value))));
            return false;
        }
        // Long options may be abbreviated.
        let shortened = || self.names.split_whitespace().filter(|known| known.starts_with(name));
        let takes_next = match arity {
            Arity::Value => true,
            Arity::None | Arity::Attached => false,
            Arity::Unknown => {
                passed.is_known = false;
                shortened().any(|known| known.ends_with('='))
            }
        };
        let value = next.filter(|_| takes_next).map(Value::Next);
        passed.given.push(Given::Name(name, value));
        takes_next
    }

    fn letters<'a>(
        &self,
        letters: &'a str,
        next: Option<&'a Word>,
        passed: &mut Passed<'a>,
    ) -> bool {
        for (at, letter) in letters.char_indices() {
            let attached = &letters[at + letter.len_utf8()..];
            match self.arity_of_letter(letter) {
                Arity::Value if attached.is_empty() => {
                    passed.given.push(Given::Letter(letter, next.map(Value::Next)));
                    return true;
                }
                Arity::Value | Arity::Attached if !attached.is_empty() => {
                    passed.given.push(Given::Letter(letter, Some(Value::Attached(attached))));
                    return false;
                }
                Arity::Unknown => passed.is_known = false,
                Arity::None | Arity::Attached | Arity::Value => {}
            }
            passed.given.push(Given::Letter(letter, None));
        }
        false
    }

    fn arity_of_letter(&self, letter: char) -> Arity {
        let Some((_, after)) = self.letters.split_once(letter).filter(|_| letter != ':') else {
            return Arity::Unknown;
        };
        match after.bytes().take_while(|byte| *byte == b':').count() {
            0 => Arity::None,
            1 => Arity::Value,
            _ => Arity::Attached,
        }
    }

    fn arity_of_name(&self, name: &str) -> Arity {
        let mut names = self.names.split_whitespace();
        let arity = names.find_map(|known| match known.strip_prefix(name)? {
            "" => Some(Arity::None),
            "=" => Some(Arity::Value),
            _ => None,
        });
        arity.unwrap_or(Arity::Unknown)
    }
}
