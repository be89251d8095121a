//! A command while its words are added to it.

use crate::parser::Parser;
use crate::parser::level::Expect;
use crate::parser::word::WordBuilder;
use crate::reader::MAX_COMMANDS;
use crate::script::{Assignment, Command, Shape, Stdin, Why, Word};

impl Parser<'_> {
    /// A new command, which reads what is fed to it here. One too many has an index, but no place.
    pub(super) fn begin(&mut self) -> usize {
        let index = self.found.commands.len();
        self.level.expect = Expect::Arguments(index);
        if index >= MAX_COMMANDS {
            self.stop(Why::TooMany);
            return index;
        }
        if index > 0 && !matches!(self.level.feed, Stdin::Pipe(_)) {
            self.found.shape = Shape::Compound;
        }
        let stdin = self.level.feed.clone();
        let command = Command::new(Vec::new(), self.place, self.depth);
        self.found.commands.push(Command { stdin, ..command });
        index
    }

    pub(super) fn add(&mut self, index: usize, word: WordBuilder) {
        let source = self.text.get(word.start..self.at).unwrap_or_default();
        let Some(command) = self.found.commands.get_mut(index) else { return };
        match assigned(source).filter(|_| command.argv.is_empty()) {
            None => command.argv.push(word.finish()),
            Some(name) => {
                let value = match word.finish() {
                    Word::Literal(text) => Word::Literal(after_equals(&text)),
                    Word::Dynamic(text) | Word::Spread(text) => Word::Dynamic(after_equals(&text)),
                };
                command.assignments.push(Assignment { name: name.to_owned(), value });
            }
        }
    }

    /// Whether the last command is but one word, which may turn out to be a function's name.
    pub(super) fn is_function_name(&self, index: usize) -> bool {
        let is_last = index + 1 == self.found.commands.len();
        is_last && self.found.commands[index].argv.len() == 1 && self.level.pending.is_empty()
    }

    /// `time` and `coproc` stand before whole groups too.
    pub(super) fn is_prefix(&self, index: usize) -> bool {
        let argv = self.found.commands.get(index).map_or(&[][..], |command| &command.argv);
        let words: Vec<_> = argv.iter().take(3).map(Word::literal).collect();
        match words.as_slice() {
            [Some("time" | "coproc")] | [Some("time"), Some("-p")] => true,
            [Some("coproc"), name] => name.is_some(),
            _ => false,
        }
    }
}

/// The name in `name=`, `name+=` and `name[...]=`.
fn assigned(source: &str) -> Option<&str> {
    let end = source.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, rest) = source.split_at_checked(end)?;
    let starts = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    let rest = match rest.strip_prefix('[') {
        Some(subscript) => subscript.split_once(']')?.1,
        None => rest,
    };
    let assigns = rest.starts_with('=') || rest.starts_with("+=");
    (starts && assigns).then_some(name)
}

fn after_equals(text: &str) -> String {
    text.split_once('=').map_or(text, |(_, value)| value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_before_an_equals_sign_is_assigned() {
        let cases = [
            ("a=b", Some("a")),
            ("_a1+=b", Some("_a1")),
            ("a[$i]=b", Some("a")),
            ("a[1]", None),
            ("a", None),
            ("1a=b", None),
            ("=b", None),
            ("--a=b", None),
            ("'a'=b", None),
        ];
        for (source, name) in cases {
            assert_eq!(assigned(source), name, "{source}");
        }
    }
}
