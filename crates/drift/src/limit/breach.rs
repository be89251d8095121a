//! Decides whether a step of the agent breaks a limit.

use super::{Limit, LimitedAction};
use crate::paths::{PathPattern, name};
use crate::phrases::is_listed;
use crate::step::{Effect, Step};

/// The maximum number of characters of a displayed command.
const MAX_COMMAND: usize = 80;
/// Words in names of checks that are tests.
const TESTS: &str = "\
    test|tests|pytest|unittest|jest|vitest|rspec|ctest|phpunit|tox|nox|mocha|bats|nextest|ava";

/// The break of a limit by a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The path or the command that broke the limit, to display.
    pub what: String,
    /// The paths that must be restored to keep the limit again.
    pub paths: Vec<String>,
}

impl Breach {
    fn of_paths<'a>(paths: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut paths: Vec<String> = paths.map(str::to_owned).collect();
        paths.dedup();
        let what = paths.join(", ");
        (!paths.is_empty()).then_some(Self { what, paths })
    }

    fn of_command(what: &str) -> Self {
        Self { what: what.chars().take(MAX_COMMAND).collect(), paths: vec![] }
    }
}

impl Limit {
    /// The break of the limit by a successful step. `None` if the step keeps the limit. Files that
    /// the step restored from version control break nothing.
    pub fn broken_by(&self, step: &Step) -> Option<Breach> {
        let changed = step.changed_files();
        let is_source = |path: &&str| !is_output(path);
        match self {
            Self::NoChanges => Breach::of_paths(changed.filter(is_source)),
            Self::NotPath(pattern) => {
                let is_meant = |path: &&str| {
                    takes(path, pattern) && (is_source(path) || is_output(pattern.as_str()))
                };
                Breach::of_paths(changed.filter(is_meant))
            }
            Self::OnlyPaths(patterns) => {
                let is_outside = |path: &&str| !patterns.iter().any(|pattern| pattern.covers(path));
                Breach::of_paths(changed.filter(is_source).filter(is_outside))
            }
            Self::NotAction(LimitedAction::Delete { path: pattern }) => {
                let is_meant = |path: &&str| match pattern {
                    Some(pattern) => takes(path, pattern),
                    None => is_source(path),
                };
                Breach::of_paths(step.deleted_files().filter(is_meant))
            }
            Self::NotAction(LimitedAction::RunTests) => {
                let mut checks = step.check.iter().flat_map(|check| &check.names);
                let test = checks.find(|name| !step.failed && is_test(name))?;
                Some(Breach::of_command(test))
            }
            Self::NotAction(action) => {
                let what = step.effects.iter().find_map(|effect| action.broken_by(effect))?;
                Some(Breach::of_command(&what))
            }
        }
    }
}

/// Names of folders with build output or third-party code.
const OUTPUT: &str = "\
    target|node_modules|vendor|dist|build|out|coverage|tmp|.venv|.cache|.next|__pycache__";

fn is_output(path: &str) -> bool {
    let is_log = path.rsplit_once('.').is_some_and(|(_, ending)| ending == "log");
    is_log || path.split('/').any(|part| is_listed(part, OUTPUT))
}

/// Whether a pattern covers a changed or deleted path. A deleted folder also counts if the pattern
/// is for a path in it.
fn takes(path: &str, pattern: &PathPattern) -> bool {
    let rest = pattern.as_str().strip_prefix(path.trim_end_matches('/'));
    pattern.covers(path) || rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a check such as `npm test:unit` runs tests.
fn is_test(check: &str) -> bool {
    check.split([' ', ':', '-', '.']).any(|word| is_listed(word, TESTS))
}

impl LimitedAction {
    /// A description of the effect, if the effect is the forbidden action.
    fn broken_by(&self, effect: &Effect) -> Option<String> {
        let is_meant = |wanted: &Option<String>, named: &[String]| {
            wanted.as_ref().is_none_or(|wanted| named.contains(wanted))
        };
        let what = match (self, effect) {
            (Self::Commit { branch }, Effect::Committed(on)) if is_meant(branch, on.as_slice()) => {
                "git commit"
            }
            (Self::Push { branch }, Effect::Pushed(to)) if is_meant(branch, to) => match branch {
                Some(branch) => return Some(format!("git push to {branch}")),
                None => "git push",
            },
            (Self::OpenPullRequest { base }, Effect::OpenedPullRequest(on))
                if is_meant(base, on.as_slice()) =>
            {
                "a pull request"
            }
            (Self::AddDependency, Effect::AddedDependency) => "a new dependency",
            (Self::Stash, Effect::Stashed) => "git stash",
            (Self::Run(wanted), Effect::Ran(words)) if is_command(words, wanted) => {
                return Some(words.join(" "));
            }
            _ => return None,
        };
        Some(what.to_owned())
    }
}

/// Whether a command begins with the words in `wanted`. Options of the command that aren't in
/// `wanted` are skipped. Options in `wanted` may be anywhere in the command.
fn is_command(words: &[String], wanted: &str) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let (options, mut plain): (Vec<&str>, Vec<&str>) =
        wanted.split_whitespace().partition(|word| word.starts_with('-'));
    let Some(first) = plain.first_mut() else { return false };
    *first = name(first);
    let rest = rest.iter().map(String::as_str).filter(|word| !word.starts_with('-'));
    let ran: Vec<&str> = [name(program)].into_iter().chain(rest).collect();
    ran.starts_with(&plain) && options.iter().all(|option| words.iter().any(|word| word == option))
}
