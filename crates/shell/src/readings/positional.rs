//! Collects the arguments that a command line passes to functions and to texts for shells.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::script::{Command, Word};

/// All argument lists on a command line.
pub(super) struct Arguments<'a> {
    pub(super) lists: Vec<List<'a>>,
}

/// The arguments of one function call or one shell, with `$0` first.
pub(super) struct List<'a> {
    words: &'a [Word],
    /// An upper bound of the arguments' total length.
    length: usize,
}

/// The words that a parameter such as `$1` or `$@` stands for.
pub(super) enum Positional<'a> {
    One(&'a Word),
    All(&'a List<'a>),
}

impl<'a> Arguments<'a> {
    pub(super) fn of(commands: &'a [Command], functions: &[String]) -> Self {
        let functions: BTreeSet<&str> = functions.iter().map(String::as_str).collect();
        let lists = commands.iter().filter_map(|command| {
            let program = command.argv.first()?.literal()?;
            let is_function = functions.contains(program);
            match command.program()? {
                _ if is_function => Some(&command.argv[..]),
                // The arguments of `set -- a b` become `$1` and `$2`.
                "set" => {
                    let end = command.argv.iter().position(|word| word.literal() == Some("--"))?;
                    Some(&command.argv[end..])
                }
                "sh" | "bash" | "dash" | "zsh" | "ksh" => {
                    let is_option = |word: &Word| {
                        let letters = word.literal().and_then(|text| text.strip_prefix('-'));
                        letters.is_some_and(|letters| letters.ends_with('c'))
                    };
                    let text = command.argv.iter().position(is_option)? + 1;
                    command.argv.get(text + 1..)
                }
                _ => None,
            }
        });
        let lists = lists.filter(|list| list.len() > 1 || is_program(list));
        Self { lists: lists.map(List::new).collect() }
    }
}

/// Whether the list consists of `$0` only, as in `sh -c '$0' rm`.
fn is_program(list: &[Word]) -> bool {
    matches!(list, [Word::Literal(_)])
}

impl<'a> List<'a> {
    fn new(words: &'a [Word]) -> Self {
        Self { words, length: words.iter().map(|word| word.text().len() + 1).sum() }
    }

    /// The value of `$1`, `${10}`, `$@` and similar parameters.
    pub(super) fn get(&self, source: &str) -> Option<Positional<'_>> {
        let name = source.trim_matches(['$', '{', '}']);
        if matches!(name, "@" | "*") {
            return Some(Positional::All(self));
        }
        self.words.get(name.parse::<usize>().ok()?).map(Positional::One)
    }
}

impl Positional<'_> {
    pub(super) fn length(&self) -> usize {
        match self {
            Self::One(word) => word.text().len(),
            Self::All(list) => list.length,
        }
    }

    pub(super) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::One(word) => word.text().into(),
            Self::All(list) => {
                let words: Vec<_> = list.words.iter().skip(1).map(Word::text).collect();
                words.join(" ").into()
            }
        }
    }
}
