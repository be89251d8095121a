//! Finds the directories in which the commands of a command line may run.

use verger_shell::{Command, Inside, Place, Script};

use super::harm::root;
use super::paths::{Ground, is_of_somebody, may_lead_to_own};

/// The starting directory of a command line, and every directory that it changes to. Every command
/// may run in any of them, because a change may fail or may affect only a part of the command line.
#[derive(Debug)]
pub(super) enum Directories {
    Known(Vec<String>),
    /// A change goes to a directory that is known only when the command line runs.
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

/// Whether the command changes the current directory.
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

/// The directories that a command line changes to, each with the index of the command that does
/// this.
#[derive(Debug)]
pub(crate) struct Moves {
    start: String,
    /// The directories in the order of the commands. First `on_line` changes that affect the
    /// command line itself, then changes inside of texts such as `bash -c "..."`.
    to: Vec<(usize, String)>,
    on_line: usize,
}

impl Moves {
    pub(crate) fn of(script: &Script, ground: &Ground<'_>) -> Self {
        let mut moves = Self { start: ground.absolute("."), to: Vec::new(), on_line: 0 };
        for (index, command) in script.commands.iter().enumerate() {
            let Some(target) = target(command) else { continue };
            let from = moves.seen_by(script, index).next_back();
            let from = Ground { cwd: from, ..*ground };
            let path = match target {
                Target::To(path) => Some(from.absolute(path)),
                Target::Hidden => own_place(command, &from).or_else(|| named_place(command)),
            };
            if let Some(path) = path.filter(|path| path.len() <= MAX_PATH) {
                moves.add(script, index, path);
            }
        }
        moves
    }

    fn add(&mut self, script: &Script, index: usize, path: String) {
        if scope(script, index).is_some() {
            self.to.push((index, path));
            return;
        }
        // A change in a variant of a command with known variables counts at the position of that
        // command.
        let index = root(script, index);
        let at = self.to[..self.on_line].partition_point(|(known, _)| *known <= index);
        self.to.insert(at, (index, path));
        self.on_line += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// The starting directory, and all directories that the command line changes to.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let to = self.to.iter().map(|(_, path)| path.as_str());
        std::iter::once(self.start.as_str()).chain(to)
    }

    /// The directories in which the command at `index` may run: the starting directory, and the
    /// last changes before the command.
    pub(crate) fn before(&self, index: usize) -> impl DoubleEndedIterator<Item = &str> {
        let count = self.to.partition_point(|(at, _)| *at < index);
        let last = &self.to[count.saturating_sub(MAX_MOVES)..count];
        std::iter::once(self.start.as_str()).chain(last.iter().map(|(_, path)| path.as_str()))
    }

    /// Like [`Moves::before`], but includes the changes inside of the text that contains the
    /// command, such as `bash -c "cd a; rm b"`.
    pub(super) fn seen_by<'a>(
        &'a self,
        script: &'a Script,
        index: usize,
    ) -> impl DoubleEndedIterator<Item = &'a str> {
        let on_line = &self.to[..self.on_line];
        let count = on_line.partition_point(|(at, _)| *at < root(script, index));
        let last = &on_line[count.saturating_sub(MAX_MOVES)..count];
        let inside = self.to[self.on_line..].iter().take(MAX_KNOWN);
        let inside = inside.filter(move |(at, _)| {
            let scope = scope(script, *at);
            *at < index && scope.is_some_and(|scope| is_within(script, index, scope))
        });
        let to = last.iter().chain(inside).map(|(_, path)| path.as_str());
        std::iter::once(self.start.as_str()).chain(to)
    }
}

/// The directory with protected files that a command changes to, if its argument has a variable or
/// a pattern. `None` if the argument can't lead to protected files.
fn own_place(command: &Command, from: &Ground<'_>) -> Option<String> {
    let word = command.argv.last()?.text();
    if !may_lead_to_own(word, from) {
        return None;
    }
    let path = from.absolute(word);
    // The value of a variable may be an absolute path, so the part before the variable is cut off.
    let named = path.find("/$").map(|at| path[at..].to_owned()).unwrap_or(path);
    from.leads_to_own(&named).then_some(named)
}

/// The argument of a directory change if it is below a variable whose value is unknown, such as
/// `$WORK/tmp`.
fn named_place(command: &Command) -> Option<String> {
    let word = command.argv.last()?.text();
    let (variable, rest) = word.split_once('/')?;
    let is_variable = variable.starts_with('$') && !variable.contains('(');
    (is_variable && !rest.contains(['$', '`', '('])).then(|| word.to_owned())
}

/// The outer command, such as `bash -c`, outside of which a directory change has no effect. `None`
/// if the change affects the command line itself.
fn scope(script: &Script, mut index: usize) -> Option<usize> {
    while let Place::Within(outer) = script.commands[index].place {
        let command = &script.commands[outer];
        let goes_on = command.inside == Inside::Readings
            || matches!(command.program(), Some("eval" | "command" | "builtin"));
        if !goes_on || outer >= index {
            return Some(outer);
        }
        index = outer;
    }
    None
}

/// Whether the command at `index` comes from the text of the command `outer`.
fn is_within(script: &Script, mut index: usize, outer: usize) -> bool {
    while let Place::Within(next) = script.commands[index].place {
        if next == outer || next >= index {
            return next == outer;
        }
        index = next;
    }
    false
}

/// The maximum number of directories of a command line. With more changes, it is treated as
/// [`Directories::Hidden`].
const MAX_KNOWN: usize = 16;
/// The maximum number of changes before a command that count. The last changes are used.
const MAX_MOVES: usize = 3;
/// The maximum number of bytes of a directory's path. A change to a longer path is ignored.
const MAX_PATH: usize = 512;
