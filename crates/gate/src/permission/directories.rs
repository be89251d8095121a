//! In which directories the commands of a line may run.

use verger_shell::{Command, Inside, Place, Script};

use super::harm::root;
use super::paths::{Ground, is_of_somebody, may_lead_to_own};

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
    /// In the order of the commands: first as many as the line itself makes.
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
        // With its values it stands where it is written.
        let index = root(script, index);
        let at = self.to[..self.on_line].partition_point(|(known, _)| *known <= index);
        self.to.insert(at, (index, path));
        self.on_line += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// Where the line begins, and all that it changes to.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let to = self.to.iter().map(|(_, path)| path.as_str());
        std::iter::once(self.start.as_str()).chain(to)
    }

    /// Where a command may run: where the line begins, and what is changed to before it.
    pub(crate) fn before(&self, index: usize) -> impl DoubleEndedIterator<Item = &str> {
        let count = self.to.partition_point(|(at, _)| *at < index);
        let last = &self.to[count.saturating_sub(MAX_MOVES)..count];
        std::iter::once(self.start.as_str()).chain(last.iter().map(|(_, path)| path.as_str()))
    }

    /// The same, with what the text changes to that the command stands in: `bash -c "cd a; rm b"`.
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

/// The directory of verger's or an agent's files that the line changes to, if a variable or a
/// pattern names it.
fn own_place(command: &Command, from: &Ground<'_>) -> Option<String> {
    let word = command.argv.last()?.text();
    if !may_lead_to_own(word, from) {
        return None;
    }
    let path = from.absolute(word);
    // A variable's path is absolute wherever the line runs, so the part before it is cut.
    let named = path.find("/$").map(|at| path[at..].to_owned()).unwrap_or(path);
    from.leads_to_own(&named).then_some(named)
}

/// A directory below a variable: `$WORK/tmp`. It is unknown, but it is not the current one.
fn named_place(command: &Command) -> Option<String> {
    let word = command.argv.last()?.text();
    let (variable, rest) = word.split_once('/')?;
    let is_variable = variable.starts_with('$') && !variable.contains('(');
    (is_variable && !rest.contains(['$', '`', '('])).then(|| word.to_owned())
}

/// The command whose text a change of directory is limited to; `None` if it affects the line.
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

/// Whether a command leads to another one.
fn is_within(script: &Script, mut index: usize, outer: usize) -> bool {
    while let Place::Within(next) = script.commands[index].place {
        if next == outer || next >= index {
            return next == outer;
        }
        index = next;
    }
    false
}

/// Lines that change it more often are not followed.
const MAX_KNOWN: usize = 16;
/// Of the changes before a command, the last ones.
const MAX_MOVES: usize = 3;
/// Deeper paths stay where they are.
const MAX_PATH: usize = 512;
