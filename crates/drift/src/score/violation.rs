//! Whether a step does what was forbidden.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Reason;
use super::detours::Detours;
use super::files::{Files, Mark};
use crate::goal::{Constraint, Goal, Topic, holds_versions};
use crate::paths::FileKind;
use crate::step::{Action, Command, CommandKind, Effect, Source, Step};
use crate::words::all_words;

/// So many are remembered.
const MAX_VIOLATIONS: usize = 16;
/// So much of a command is told.
const MAX_COMMAND: usize = 200;
/// What ran and cannot be taken back is over when so many changes after it were for the goal.
const FADED: u8 = 3;

/// Something that was done against what a person said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Violation {
    pub(super) reason: Reason,
    by: By,
    /// Whether it is put aside, and may come again.
    is_aside: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum By {
    /// A file was changed: it is taken back with the change.
    Change,
    /// A command that another one takes back: the dependency is removed, the commit is.
    Undoable(Undo),
    /// A command that added these dependencies.
    Added(Vec<String>),
    /// A command that removed or changed these files.
    Files(Vec<String>),
    /// A command that ran, and so many changes for the goal since.
    Run(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Undo {
    Dependency,
    Commit,
}

impl Violation {
    /// Whether it counts now.
    pub(super) fn counts(&self) -> bool {
        !self.is_aside
    }

    /// Whether it has to do with this file.
    pub(super) fn is_about(&self, file: &str) -> bool {
        match &self.by {
            By::Files(files) => files.iter().any(|one| one == file),
            _ => self.reason.what() == file,
        }
    }

    /// Notes what a step takes back of it, and says whether something is left. `whole` are the files of which it takes everything
    /// back.
    fn outlasts(&mut self, step: &Step, whole: &[String], detours: &Detours) -> bool {
        match &mut self.by {
            By::Change => {
                let file = self.reason.what();
                let is_there = detours.has_live(file);
                let may_return = detours.has_aside(file);
                let is_back = self.is_aside || whole.iter().any(|back| back == file);
                self.is_aside = !is_there && may_return && is_back;
                is_there || may_return || !is_back
            }
            By::Files(files) => {
                files.retain(|file| !whole.contains(file) || detours.has_aside(file));
                !files.is_empty()
            }
            By::Added(names) => {
                let removals = step.commands.iter();
                let removals =
                    removals.filter(|command| command.kind == CommandKind::RemovesDependency);
                let removed: Vec<String> = removals.flat_map(packages).collect();
                names.retain(|name| !removed.contains(name));
                !names.is_empty()
            }
            By::Undoable(Undo::Dependency) => {
                !step.commands.iter().any(|one| one.kind == CommandKind::RemovesDependency)
            }
            By::Undoable(Undo::Commit) | By::Run(_) => true,
        }
    }

    /// Something was changed for the goal after it; says whether it still counts.
    pub(super) fn fades(&mut self) -> bool {
        let By::Run(since) = &mut self.by else { return true };
        *since = since.saturating_add(1);
        *since < FADED
    }
}

/// Takes out what a step takes back, and says whether something was.
pub(super) fn take_back(
    known: &mut VecDeque<Violation>,
    step: &Step,
    whole: &[String],
    detours: &Detours,
) -> bool {
    let count = |known: &VecDeque<Violation>| known.iter().filter(|one| one.counts()).count();
    let before = count(known);
    known.retain_mut(|one| one.outlasts(step, whole, detours));
    for command in &step.commands {
        let undone = match &command.effect {
            Effect::Resets(Source::Back(back), _) => *back,
            Effect::Reverts(_) => 1,
            _ => 0,
        };
        for _ in 0..undone {
            uncommit(known);
        }
    }
    count(known) < before
}

/// The last commit is none any more, with all that was put in the place of another.
fn uncommit(known: &mut VecDeque<Violation>) {
    let is_commit = |one: &Violation| one.by == By::Undoable(Undo::Commit);
    while let Some(last) = known.iter().rposition(is_commit)
        && let Some(commit) = known.remove(last)
        && commit.reason.what().contains(" --amend")
    {}
}

/// The names of what a command adds or removes.
fn packages(command: &Command) -> Vec<String> {
    const VERBS: &[&str] = &[
        "add",
        "install",
        "i",
        "get",
        "require",
        "remove",
        "uninstall",
        "rm",
        "un",
        "r",
        "delete",
    ];
    let words = command.words.iter().skip(1).skip_while(|word| !VERBS.contains(&word.as_str()));
    let named = words.skip(1).skip_while(|word| word.starts_with('-'));
    let named = named.take_while(|word| !word.starts_with('-'));
    // `@scope/name@1.2`, `name==1.2`, `name[extra]`
    let name = |word: &String| {
        let end = word.char_indices().skip(1).find(|(_, c)| "@=<>~![".contains(*c));
        word[..end.map_or(word.len(), |(at, _)| at)].to_owned()
    };
    named.map(name).collect()
}

/// All that a step does against the goal's constraints, but for what it takes back. What a person said comes before
/// what a program read out of it, and each thing that was done counts once.
pub(crate) fn violations(
    goal: &Goal,
    step: &Step,
    files: &Files,
    is_back: impl Fn(&str) -> bool,
) -> Vec<Violation> {
    let said = goal.constraints.iter().map(|constraint| (constraint, true));
    let read = goal.refined.constraints.iter().map(|constraint| (constraint, false));
    let mut found: Vec<Violation> = vec![];
    for (constraint, is_said) in said.chain(read) {
        for (what, by) in broken(constraint, goal, step, files, &is_back) {
            if found.len() >= MAX_VIOLATIONS {
                return found;
            }
            let constraint = constraint.clone();
            let reason = match by {
                By::Change if is_said => Reason::Forbidden { what, constraint },
                _ if is_said => Reason::ForbiddenRun { what, constraint },
                _ => Reason::ReadAsForbidden { what, constraint },
            };
            match found.iter_mut().find(|known| known.reason.what() == reason.what()) {
                None => found.push(Violation { reason, by, is_aside: false }),
                // Who forbids both says it of a push in so many words.
                Some(known) if reason.constraint() == Some(&Constraint::NoPushes) => {
                    known.reason = reason;
                }
                Some(_) => {}
            }
        }
    }
    found
}

/// Adds one to those that are remembered. Where there is no room, one that says the same as another gives way, and otherwise the
/// newest: the oldest is not forgotten because of what came after it.
pub(super) fn remember(known: &mut VecDeque<Violation>, new: Violation) {
    if known.len() >= MAX_VIOLATIONS {
        let says = |at: usize| &known[at].reason;
        let is_again = |at: &usize| (0..*at).any(|before| says(before) == says(*at));
        let Some(again) = (0..known.len()).rev().find(is_again) else { return };
        known.remove(again);
    }
    known.push_back(new);
}

/// The files and commands of a step that a constraint forbids.
fn broken(
    constraint: &Constraint,
    goal: &Goal,
    step: &Step,
    files: &Files,
    is_back: &impl Fn(&str) -> bool,
) -> Vec<(String, By)> {
    let is_broken =
        |file: &&String| !is_back(file) && is_broken_by(constraint, goal, step, file, files);
    // What is moved is told by where it lay.
    let is_told = |file: &&String| !step.moves().any(|(from, to)| to == *file && is_broken(&from));
    let changed = step.changed_files().iter().filter(is_broken).filter(is_told);
    let mut found: Vec<_> = changed.map(|file| (file.clone(), By::Change)).collect();
    if !found.is_empty() {
        return found;
    }
    let only_takes_back = |command: &Command| {
        !command.changes.is_empty() && command.changes.iter().all(|file| is_back(file))
    };
    let commands = step.commands.iter().filter(|command| {
        runs_against(constraint, command)
            && !only_takes_back(command)
            && !(*constraint == Constraint::NoNewDependencies && adds_allowed(goal, command))
    });
    found.extend(commands.map(|command| {
        let what = command.words.join(" ").chars().take(MAX_COMMAND).collect();
        let by = match command.kind {
            CommandKind::AddsDependency => match packages(command) {
                names if names.is_empty() => By::Undoable(Undo::Dependency),
                names => By::Added(names),
            },
            CommandKind::Commits => By::Undoable(Undo::Commit),
            CommandKind::Changes if !command.changes.is_empty() => {
                By::Files(command.changes.clone())
            }
            _ => By::Run(0),
        };
        (what, by)
    }));
    found
}

fn is_broken_by(
    constraint: &Constraint,
    goal: &Goal,
    step: &Step,
    file: &str,
    files: &Files,
) -> bool {
    let is_outside = file.starts_with('/') || file.starts_with('~') || file.starts_with("..");
    let is_allowed = goal.allowed.iter().any(|allowed| allowed.is_broken_by_file(file, true));
    if is_outside || is_allowed {
        return false;
    }
    match constraint {
        Constraint::NoEdits => !is_wanted_answer(goal, file),
        Constraint::NoNewDependencies => {
            step.adds_requirement
                && !is_excepted(goal, |name| all_words(name).is_subset(&step.changed))
        }
        Constraint::NoVersionBumps => {
            holds_versions(file) && step.changed.iter().any(|word| is_version(word))
        }
        Constraint::NotUse(word) => {
            let said = crate::words::words(word);
            step.action.changes_files()
                && !said.is_empty()
                && said.iter().all(|word| step.changed.contains(word))
        }
        // What was made for the work was not there before it, however often it is changed.
        Constraint::NotExisting(_) if files.has(file, Mark::Made) => false,
        other => {
            let is_new = step.action == Action::Write && !files.has(file, Mark::Seen);
            other.is_broken_by_file(file, is_new)
        }
    }
}

/// Whether all that a command adds is what the person excepted: "no dependencies except for serde".
fn adds_allowed(goal: &Goal, command: &Command) -> bool {
    let is_flag = |word: &&String| word.starts_with('-');
    let names = command.words.iter().skip(2).skip_while(is_flag);
    let mut added = names.take_while(|word| !is_flag(word)).peekable();
    added.peek().is_some() && added.all(|word| is_excepted(goal, |name| word == name))
}

/// Whether one of the names that the person excepted is such a one.
fn is_excepted(goal: &Goal, is_meant: impl Fn(&str) -> bool) -> bool {
    let is_meant = |one: &Constraint| matches!(one, Constraint::NotUse(name) if is_meant(name));
    goal.allowed.iter().any(is_meant)
}

/// What is asked for may be written down: the place is named, or it is a plan for people to read.
fn is_wanted_answer(goal: &Goal, file: &str) -> bool {
    let named = goal.scope.paths.iter().filter(|path| !goal.refined.paths.contains(path));
    let is_named = named.into_iter().any(|path| path.covers(file));
    let is_note = FileKind::of(file) == FileKind::Document;
    (is_named && goal.scope.wishes.documents) || is_note
}

fn is_version(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.')
}

/// Whether a command shows what there is.
fn looks(command: &Command) -> bool {
    const LOOKS: &[&str] = &[
        "ls", "cat", "head", "tail", "less", "grep", "rg", "find", "fd", "tree", "wc", "stat",
        "diff", "which", "echo",
    ];
    command.words.first().is_some_and(|program| LOOKS.contains(&program.as_str()))
}

fn runs_against(constraint: &Constraint, command: &Command) -> bool {
    // What is only tried changes nothing.
    if command.words.iter().any(|word| matches!(word.as_str(), "--dry-run" | "--check")) {
        return false;
    }
    let line = || command.words.join(" ").to_lowercase();
    match constraint {
        Constraint::NoEdits => matches!(
            command.kind,
            CommandKind::Commits | CommandKind::Pushes | CommandKind::Reformats
        ),
        Constraint::NoNewDependencies => command.kind == CommandKind::AddsDependency,
        Constraint::NoCommits => matches!(command.kind, CommandKind::Commits | CommandKind::Pushes),
        Constraint::NoPushes => command.kind == CommandKind::Pushes,
        // What is only looked at is not run, and tests are run in many ways.
        Constraint::NotRun(_) if command.kind == CommandKind::Lists || looks(command) => false,
        Constraint::NotRun(wanted) if matches!(wanted.as_str(), "tests" | "test") => {
            command.kind == CommandKind::Tests
        }
        Constraint::NotRun(wanted) => {
            let wanted = wanted.to_lowercase();
            let line = line();
            line == wanted
                || line.starts_with(&format!("{wanted} "))
                || line.contains(&format!(" {wanted} "))
                || line.ends_with(&format!(" {wanted}"))
        }
        Constraint::NoReformatting => command.kind == CommandKind::Reformats,
        Constraint::NoDeletions => {
            let line = line();
            line.starts_with("rm ") || line.starts_with("git rm ") || line.starts_with("git clean")
        }
        Constraint::NoVersionBumps if command.kind == CommandKind::Upgrades => true,
        Constraint::NoVersionBumps if command.kind == CommandKind::AddsDependency => {
            command.words.iter().any(|word| word.trim_start_matches('@').contains(['@', '=']))
        }
        Constraint::NoVersionBumps => line().contains("npm version") || line().contains("bump"),
        Constraint::NotTopic(Topic::Schema) => {
            let line = line();
            [
                "prisma migrate",
                "prisma db push",
                "alembic revision",
                "alembic upgrade",
                "makemigrations",
                "generate migration",
                "g migration",
            ]
            .iter()
            .any(|migrates| line.contains(migrates))
                || (["psql", "mysql", "sqlite3"].iter().any(|client| line.starts_with(client))
                    && ["alter table", "create table", "create index", "drop table"]
                        .iter()
                        .any(|sql| line.contains(sql)))
        }
        _ => false,
    }
}
