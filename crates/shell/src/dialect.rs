//! The shell language in which a text is parsed. Some shells read some of bash's syntax
//! differently.

use crate::script::{Command, Place};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Bash,
    /// An unknown shell: `[[`, `((` and `$'` may or may not mean the same as in bash.
    Any,
}

const BASH: &[&str] = &["bash", "zsh", "ksh", "mksh", "rbash"];

/// Programs that pass a text to `sh`, or to the user's shell.
const ANY: &[&str] = &[
    "sh",
    "dash",
    "ash",
    "yash",
    "su",
    "runuser",
    "sg",
    "ssh",
    "autossh",
    "mosh",
    "watch",
    "script",
    "flock",
    "parallel",
    "tmux",
    "screen",
    "git",
    "hyperfine",
    "nix-shell",
    "sed",
    "tar",
    "rsync",
    "man",
    "vim",
    "nvim",
    "npx",
    "npm",
    "pnpm",
    "make",
    "find",
    "split",
];

impl Dialect {
    /// The dialect of a text that the command at `index` passes to a shell.
    pub(crate) fn of(commands: &[Command], index: usize) -> Self {
        let mut index = index;
        loop {
            let command = &commands[index];
            match command.program() {
                Some(program) if BASH.contains(&program) => return Self::Bash,
                Some(program) if ANY.contains(&program) => return Self::Any,
                // A path may name a script whose first line selects any shell.
                Some(_) if command.argv.first().is_some_and(|word| word.text().contains('/')) => {
                    return Self::Any;
                }
                _ => {}
            }
            match command.place {
                Place::Line => return Self::Bash,
                Place::Within(outer) => index = outer,
            }
        }
    }
}
