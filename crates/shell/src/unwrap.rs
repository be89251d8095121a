//! What a command runs itself: programs that run programs, and shells that run texts.

use crate::reader::joined;
use crate::script::{Command, Inside, Stdin, Word};

mod code;
mod inputs;
mod options;
mod output;
mod shells;
mod wrappers;

pub(crate) use output::written_by;

/// Something that a command runs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    Argv {
        argv: Vec<Word>,
        stdin: Stdin,
    },
    Text(String),
    /// A text that the line does not show.
    Hidden,
}

#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) runs: Vec<Inner>,
    pub(crate) code: Option<String>,
    pub(crate) inside: Inside,
}

/// A command among those that were found before it.
struct Call<'a> {
    commands: &'a [Command],
    command: &'a Command,
    program: &'a str,
    /// The words after the program.
    words: &'a [Word],
}

pub(crate) fn unwrap(commands: &[Command], index: usize) -> Outcome {
    let command = &commands[index];
    let words = command.argv.get(1..).unwrap_or_default();
    let Some(program) = command.program() else {
        return Outcome { runs: Vec::new(), code: None, inside: Inside::Nothing };
    };
    let call = Call { commands, command, program, words };
    let code = code::given(&call);
    let runs = if code.is_none() { runs(&call) } else { Vec::new() };
    let inside = if runs.is_empty() { Inside::Nothing } else { Inside::Found };
    Outcome { runs, code, inside }
}

fn runs(call: &Call<'_>) -> Vec<Inner> {
    let Call { program, words, .. } = *call;
    match program {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "rbash" | "yash" | "fish"
        | "csh" | "tcsh" | "nu" | "xonsh" | "elvish" => shells::shell(call),
        "eval" => vec![Inner::Text(joined(words))],
        "source" | "." => shells::sourced(call, words.first()),
        "trap" => shells::trap(words),
        "su" | "runuser" | "sg" | "flock" | "nix-shell" | "nix" => shells::after_option(call),
        "script" => shells::script(words),
        "watch" => shells::watch(words),
        "hyperfine" => words.iter().map(|word| Inner::Text(word.text().to_owned())).collect(),
        "xargs" | "gxargs" => inputs::xargs(words),
        "find" | "gfind" => inputs::find(words),
        "fd" | "fdfind" => inputs::fd(words),
        "parallel" => inputs::parallel(words),
        _ => match wrappers::wrapped(call) {
            runs if runs.is_empty() => shells::made_on_the_line(call),
            runs => runs,
        },
    }
}

fn argv(words: &[Word]) -> Vec<Inner> {
    if words.is_empty() {
        return Vec::new();
    }
    vec![Inner::Argv { argv: words.to_vec(), stdin: Stdin::Inherited }]
}
