//! Finds the commands and texts that a command runs. For example, wrappers run programs and shells
//! run texts.

use crate::reader::joined;
use crate::room::Room;
use crate::script::{Command, Inside, Word};

mod code;
mod delegates;
mod git;

mod inputs;
mod options;
mod output;
mod remote;
mod sed;
mod shells;
mod terminals;
mod wrappers;

pub(crate) use output::{read_by, written_by};

/// A command or text that a command runs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// A command that reads the input of the outer command.
    Argv(Vec<Word>),
    /// A command whose input the command line does not show.
    Unfed(Vec<Word>),
    Text(String),
    /// A text for a shell that the command line does not show.
    Hidden,
}

#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) runs: Vec<Inner>,
    pub(crate) code: Option<String>,
    pub(crate) inside: Inside,
}

/// A command whose inner commands are searched, and all commands that were found so far.
struct Call<'a> {
    commands: &'a [Command],
    command: &'a Command,
    program: &'a str,
    /// The words after the program's name.
    words: &'a [Word],
    /// The remaining length for texts that are composed.
    room: &'a Room,
}

pub(crate) fn unwrap(commands: &[Command], index: usize, room: &Room) -> Outcome {
    let command = &commands[index];
    let words = command.argv.get(1..).unwrap_or_default();
    let Some(program) = command.program() else {
        return Outcome { runs: Vec::new(), code: None, inside: Inside::Nothing };
    };
    let call = Call { commands, command, program, words, room };
    let code = code::given(&call);
    let mut runs = if code.is_none() { runs(&call) } else { Runs::NONE };
    runs.inner.extend(delegates::run(&call));
    let inside = match &runs {
        Runs { is_known: false, .. } => Inside::Guessed,
        Runs { inner, .. } if inner.is_empty() => Inside::Nothing,
        Runs { .. } => Inside::Found,
    };
    Outcome { runs: runs.inner, code, inside }
}

/// The commands and texts that a command runs.
#[derive(Debug)]
struct Runs {
    inner: Vec<Inner>,
    /// Whether the inner commands are certain, because all options before them are known.
    is_known: bool,
}

impl Runs {
    const NONE: Self = Self { inner: Vec::new(), is_known: true };
}

impl From<Vec<Inner>> for Runs {
    fn from(inner: Vec<Inner>) -> Self {
        Self { inner, is_known: true }
    }
}

fn runs(call: &Call<'_>) -> Runs {
    let Call { program, words, .. } = *call;
    match program {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "rbash" | "yash" | "fish"
        | "csh" | "tcsh" | "nu" | "xonsh" | "elvish" => shells::shell(call),
        "eval" => vec![Inner::Text(joined(words))].into(),
        "source" | "." => shells::sourced(call, words.first()).into(),
        "trap" => shells::trap(words).into(),
        "su" | "runuser" | "sg" | "flock" | "nix-shell" | "nix" => shells::after_option(call),
        "script" => shells::script(words),
        "watch" => shells::watch(words),
        "hyperfine" => shells::hyperfine(words),
        "xargs" | "gxargs" => inputs::xargs(call),
        "find" | "gfind" => inputs::find(call).into(),
        "fd" | "fdfind" => inputs::fd(words).into(),
        "parallel" => inputs::parallel(call),
        "ssh" | "autossh" | "mosh" => remote::ssh(call),
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => {
            remote::container(program, words)
        }
        "kubectl" | "oc" => remote::kubectl(words),
        "tmux" => terminals::tmux(words).into(),
        "screen" => terminals::screen(words),
        "git" => git::runs(words).into(),
        "printf" => {
            output::note_length(call);
            Runs::NONE
        }
        _ => match wrappers::wrapped(call) {
            runs if runs.inner.is_empty() => shells::made_on_the_line(call).into(),
            runs => runs,
        },
    }
}

fn argv(words: &[Word]) -> Vec<Inner> {
    if words.is_empty() {
        return Vec::new();
    }
    vec![Inner::Argv(words.to_vec())]
}
