//! In which directories the commands of a line may run.

use verger_shell::{Command, Script};

use super::paths::{Ground, is_of_somebody};

/// Where the line begins, and every directory that it changes to. A change that fails, or that only a
/// part of the line sees, leaves the others in place: all of them are possible everywhere.
#[derive(Debug)]
pub(super) enum Directories {
    Known(Vec<String>),
    /// It changes to a directory that only running it would tell.
    Hidden,
}

impl Directories {
    pub(super) fn of(script: &Script, ground: &Ground<'_>) -> Self {
        let mut known = vec![ground.absolute(".")];
        for command in &script.commands {
            let Some(target) = target(command) else { continue };
            let Target::To(path) = target else { return Self::Hidden };
            let from = known.last().cloned().unwrap_or_default();
            let from = Ground { cwd: Some(&from), ..*ground };
            known.push(from.absolute(path));
            if known.len() > MAX_KNOWN {
                return Self::Hidden;
            }
        }
        Self::Known(known)
    }
}

enum Target<'a> {
    To(&'a str),
    Hidden,
}

/// Whether the command's operand is a directory to be in from then on.
pub(super) fn changes_directory(command: &Command) -> bool {
    matches!(command.program(), Some("cd" | "pushd" | "popd"))
}

fn target(command: &Command) -> Option<Target<'_>> {
    if !changes_directory(command) {
        return None;
    }
    let mut operands = command.argv[1..].iter().filter(|word| !word.text().starts_with('-'));
    Some(match (operands.next(), command.argv.last().map(verger_shell::Word::text)) {
        (_, Some("-" | "popd")) => Target::Hidden,
        (None, _) => Target::To("~"),
        (Some(word), _) => match word.literal() {
            Some(path) if is_of_somebody(path) => Target::Hidden,
            Some(path) => Target::To(path),
            None if matches!(word.text(), "$HOME" | "$PWD" | "${HOME}" | "${PWD}") => {
                Target::To(word.text())
            }
            None => Target::Hidden,
        },
    })
}

/// The directories that the line changes to, each with the command that does.
#[derive(Debug)]
pub(crate) struct Moves {
    start: String,
    to: Vec<(usize, String)>,
}

impl Moves {
    pub(crate) fn of(script: &Script, ground: &Ground<'_>) -> Self {
        let start = ground.absolute(".");
        let mut to: Vec<(usize, String)> = Vec::new();
        for (index, command) in script.commands.iter().enumerate() {
            if let Some(Target::To(path)) = target(command) {
                let from = to.last().map_or(&start, |(_, path)| path);
                let from = Ground { cwd: Some(from), ..*ground };
                let path = from.absolute(path);
                if path.len() <= MAX_PATH {
                    to.push((index, path));
                }
            }
        }
        Self { start, to }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// Where a command may run: where the line begins, and what is changed to before it.
    pub(crate) fn before(&self, index: usize) -> impl DoubleEndedIterator<Item = &str> {
        let count = self.to.partition_point(|(at, _)| *at < index);
        let last = &self.to[count.saturating_sub(MAX_MOVES)..count];
        std::iter::once(self.start.as_str()).chain(last.iter().map(|(_, path)| path.as_str()))
    }
}

/// Lines that change it more often are not followed.
const MAX_KNOWN: usize = 16;
/// Of the changes before a command, the last ones.
const MAX_MOVES: usize = 3;
/// Deeper paths stay where they are.
const MAX_PATH: usize = 512;
