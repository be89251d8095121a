//! The arguments that functions and texts of shells are given on the line.

use std::collections::BTreeSet;

use crate::script::{Command, Word};

/// The lists of arguments, each with `$0` first.
pub(super) struct Arguments<'a> {
    pub(super) lists: Vec<&'a [Word]>,
}

impl<'a> Arguments<'a> {
    pub(super) fn of(commands: &'a [Command], functions: &[String]) -> Self {
        let functions: BTreeSet<&str> = functions.iter().map(String::as_str).collect();
        let lists = commands.iter().filter_map(|command| {
            let program = command.argv.first()?.literal()?;
            let is_function = functions.contains(program);
            match command.program()? {
                _ if is_function => Some(&command.argv[..]),
                // `set -- a b`
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
        Self { lists: lists.filter(|list| list.len() > 1 || is_program(list)).collect() }
    }
}

/// `sh -c '$0' rm`
fn is_program(list: &[Word]) -> bool {
    matches!(list, [Word::Literal(_)])
}

/// What `$1`, `${10}`, `$@` and their like stand for.
pub(super) fn value(list: &[Word], source: &str) -> Option<String> {
    let name = source.trim_matches(['$', '{', '}']);
    if matches!(name, "@" | "*") {
        let words: Vec<_> = list.iter().skip(1).map(Word::text).collect();
        return Some(words.join(" "));
    }
    list.get(name.parse::<usize>().ok()?).map(|word| word.text().to_owned())
}
