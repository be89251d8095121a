//! Handles wrappers: programs that run the rest of their arguments as a command.

use super::options::{Given, Options};
use super::shells::from_stdin;
use super::{Call, Inner, Runs};
use crate::script::Word;

mod table;

#[derive(Debug)]
struct Wrapper {
    program: &'static str,
    /// The subcommand after which the program is a wrapper: `run` in `uv run`.
    after: &'static str,
    options: Options,
    /// The number of operands between the options and the command.
    operands: usize,
}

const fn wrapper(program: &'static str, letters: &'static str, names: &'static str) -> Wrapper {
    Wrapper { program, after: "", options: Options { letters, names }, operands: 0 }
}

impl Wrapper {
    const fn operands(self, operands: usize) -> Self {
        Self { operands, ..self }
    }

    const fn after(self, after: &'static str) -> Self {
        Self { after, ..self }
    }
}

pub(super) fn wrapped(call: &Call<'_>) -> Runs {
    let mut wrappers = table::WRAPPERS.iter().filter(|wrapper| wrapper.program == call.program);
    let Some(Rest { argv, is_known }) = wrappers.find_map(|wrapper| wrapper.rest(call.words))
    else {
        return Runs::NONE;
    };
    if argv.is_empty() {
        let inner = if opens_a_shell(call) { from_stdin(call) } else { Vec::new() };
        return Runs { inner, is_known };
    }
    if is_lookup(call) {
        return Runs::NONE;
    }
    // An unknown option may take the first word as its value, so the command may also begin with
    // the second word.
    let other = (!is_known && argv.len() > 1).then(|| argv[1..].to_vec());
    let inner = [Some(argv), other].into_iter().flatten().map(Inner::Argv).collect();
    Runs { inner, is_known }
}

/// Whether the wrapper starts a shell because it has no command: `sudo -s`, `chroot x`.
fn opens_a_shell(call: &Call<'_>) -> bool {
    match call.program {
        "sudo" | "doas" => has_letter(call.words, ['s', 'i']),
        "chroot" | "unshare" | "nsenter" | "newgrp" | "fakeroot" => true,
        _ => false,
    }
}

/// Whether the command only looks up a program and runs nothing: `command -v gh`.
fn is_lookup(call: &Call<'_>) -> bool {
    call.program == "command" && has_letter(call.words, ['v', 'V'])
}

fn has_letter(words: &[Word], letters: [char; 2]) -> bool {
    let given = Options::NONE.pass(words).given;
    letters.into_iter().any(|letter| given.contains(&Given::Letter(letter, None)))
}

struct Rest {
    argv: Vec<Word>,
    is_known: bool,
}

impl Wrapper {
    /// The inner command, if these are the arguments of this wrapper.
    fn rest(&self, words: &[Word]) -> Option<Rest> {
        let mut is_known = true;
        let words = match self.after {
            "" => words,
            after => {
                let at = words.iter().position(|word| !word.text().starts_with('-'))?;
                is_known &= at == 0;
                (words[at].literal() == Some(after)).then_some(&words[at + 1..])?
            }
        };
        let passed = self.options.pass(words);
        is_known &= passed.is_known;
        let mut rest = words.get(passed.first..).unwrap_or_default();
        let split = split_by_env(&passed.given);
        if matches!(self.program, "env" | "sudo" | "doas") && split.is_empty() {
            let is_assignment = |word: &Word| {
                let plain = word.text().split(['$', '`']).next().unwrap_or_default();
                plain.contains('=')
            };
            let assignments = rest.iter().take_while(|word| is_assignment(word)).count();
            rest = &rest[assignments..];
        }
        let mut rest = rest.get(self.operands..).unwrap_or_default();
        // The name of a tool may come before the command: `mise exec node -- npm`.
        if let Some(end) = rest.iter().position(|word| word.literal() == Some("--"))
            && !self.after.is_empty()
        {
            rest = &rest[end + 1..];
        }
        let argv = split.into_iter().chain(rest.iter().cloned()).collect();
        Some(Rest { argv, is_known })
    }
}

/// The words of the text that `env -S` splits. They are further arguments of `env` itself.
fn split_by_env(given: &[Given<'_>]) -> Vec<Word> {
    let text = given.iter().find_map(|option| option.value_of("S", &["split-string"]));
    let Some(text) = text else { return Vec::new() };
    let split = text.split_whitespace().map(|word| word.replace(['\'', '"'], ""));
    std::iter::once("env".to_owned()).chain(split).map(Word::Literal).collect()
}
