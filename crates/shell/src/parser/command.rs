//! Builds a command while its words are read.

use crate::parser::Parser;
use crate::parser::level::Expect;
use crate::parser::word::WordBuilder;
use crate::reader::MAX_COMMANDS;
use crate::script::{Assignment, Command, Form, Shape, Stdin, Why, Word};

impl Parser<'_> {
    /// Begins a command whose input is that of the current level, and returns its index. If there
    /// are too many commands, the new one gets an index but is not stored.
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
        let (stdin, run) = (self.level.feed.clone(), self.level.run);
        let command = Command::new(Vec::new(), self.place, self.depth);
        self.found.commands.push(Command { stdin, run, ..command });
        index
    }

    pub(super) fn add(&mut self, index: usize, word: WordBuilder) {
        let (span, is_line) = (word.start..self.at, self.is_line());
        let source = self.text.get(span.clone()).unwrap_or_default();
        let Some(command) = self.found.commands.get_mut(index) else { return };
        command.is_ambiguous |= word.is_ambiguous();
        match assigned(source).filter(|_| command.argv.is_empty()) {
            None => {
                command.argv.push(word.finish());
                command.spans.extend(Some(span).filter(|_| is_line));
            }
            Some((name, form)) => {
                let value = match word.finish() {
                    Word::Literal(text) => Word::Literal(assigned_value(&text, form)),
                    Word::Dynamic(text) | Word::Spread(text) => {
                        Word::Dynamic(assigned_value(&text, form))
                    }
                };
                command.assignments.push(Assignment { name: name.to_owned(), form, value });
            }
        }
    }

    /// Whether the last command consists of one word so far, which may become a function's name.
    pub(super) fn is_function_name(&self, index: usize) -> bool {
        let is_last = index + 1 == self.found.commands.len();
        is_last && self.found.commands[index].argv.len() == 1 && self.level.pending.is_empty()
    }

    /// Whether the word is `a[` at a place where an assignment may begin. The subscript after it
    /// may contain blanks, operators and `#`.
    pub(super) fn begins_subscript(&self) -> bool {
        let may_assign = match self.level.expect {
            Expect::Start => true,
            Expect::Arguments(index) => {
                let command = self.found.commands.get(index);
                command.is_some_and(|command| command.argv.is_empty()) || self.is_prefix(index)
            }
            _ => false,
        };
        may_assign && self.level.word.as_ref().and_then(WordBuilder::bare).is_some_and(is_name)
    }

    /// Whether the command is only `time` or `coproc` so far. Both may precede a whole group.
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

/// The name in an assignment such as `name=`, `name+=` or `name[...]=`, and the form of the
/// assignment.
fn assigned(source: &str) -> Option<(&str, Form)> {
    let end = source.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, rest) = source.split_at_checked(end)?;
    let form = if rest.starts_with('=') {
        Form::Set
    } else if rest.starts_with("+=") {
        Form::Append
    } else if rest.starts_with('[') && (rest.contains("]=") || rest.contains("]+=")) {
        Form::Element
    } else {
        return None;
    };
    is_name(name).then_some((name, form))
}

pub(super) fn is_name(text: &str) -> bool {
    let is_digit = text.bytes().next().is_none_or(|byte| byte.is_ascii_digit());
    !is_digit && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn assigned_value(text: &str, form: Form) -> String {
    let sign = if form == Form::Element && text.contains("]=") { "]=" } else { "=" };
    text.split_once(sign).map_or(text, |(_, value)| value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_before_an_equals_sign_is_assigned() {
        let cases = [
            ("a=b", Some(("a", Form::Set))),
            ("_a1+=b", Some(("_a1", Form::Append))),
            ("a[$i]=b", Some(("a", Form::Element))),
            ("a[$(b])]+=c", Some(("a", Form::Element))),
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
