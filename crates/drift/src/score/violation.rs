//! Whether a step does what was forbidden.

use super::Reason;
use crate::goal::{Constraint, Goal, Topic, holds_versions};
use crate::paths::FileKind;
use crate::step::{Action, Command, CommandKind, Step};

/// The first thing that a step does against the goal's constraints.
pub(crate) fn violation(goal: &Goal, step: &Step, is_new: impl Fn(&str) -> bool) -> Option<Reason> {
    let said = goal.constraints.iter().find_map(|constraint| {
        let what = broken(constraint, goal, step, &is_new)?;
        Some(Reason::Forbidden { what, constraint: constraint.clone() })
    });
    said.or_else(|| {
        goal.refined.constraints.iter().find_map(|constraint| {
            let what = broken(constraint, goal, step, &is_new)?;
            Some(Reason::ReadAsForbidden { what, constraint: constraint.clone() })
        })
    })
}

fn broken(
    constraint: &Constraint,
    goal: &Goal,
    step: &Step,
    is_new: &impl Fn(&str) -> bool,
) -> Option<String> {
    if let Some(file) =
        step.changed_files().iter().find(|file| is_broken_by(constraint, goal, step, file, is_new))
    {
        return Some(file.clone());
    }
    let command = step.commands.iter().find(|command| runs_against(constraint, command))?;
    Some(command.words.join(" ").chars().take(200).collect())
}

fn is_broken_by(
    constraint: &Constraint,
    goal: &Goal,
    step: &Step,
    file: &str,
    is_new: &impl Fn(&str) -> bool,
) -> bool {
    let is_outside = file.starts_with('/') || file.starts_with('~') || file.starts_with("..");
    let is_allowed = goal.allowed.iter().any(|allowed| allowed.is_broken_by_file(file, true));
    if is_outside || is_allowed {
        return false;
    }
    match constraint {
        Constraint::NoEdits => !is_wanted_answer(goal, file),
        Constraint::NoNewDependencies => step.adds_requirement,
        Constraint::NoVersionBumps => {
            holds_versions(file) && step.changed.iter().any(|word| is_version(word))
        }
        Constraint::NotUse(word) => {
            let said = crate::words::words(word);
            step.action.changes_files()
                && !said.is_empty()
                && said.iter().all(|word| step.changed.contains(word))
        }
        other => other.is_broken_by_file(file, step.action == Action::Write && is_new(file)),
    }
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
