//! How a step breaks a limit.

use super::{Limit, LimitedAction};
use crate::paths::{PathPattern, is_listed, name};
use crate::step::{Effect, Step};

/// The most characters of a command that people are shown.
const MAX_COMMAND: usize = 80;

/// How a step breaks a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The path or the command, for people.
    pub what: String,
    /// The paths that would have to be as they were for the limit to be kept again.
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
    /// How a step that succeeded breaks it. Files that version control brought back break nothing.
    pub fn broken_by(&self, step: &Step) -> Option<Breach> {
        match self {
            Self::NoChanges => Breach::of_paths(step.changed_files()),
            Self::NotPath(pattern) => {
                Breach::of_paths(step.effects.iter().filter_map(|effect| match effect {
                    Effect::Changed(path) | Effect::Deleted(path) => {
                        Some(path.as_str()).filter(|path| takes(path, pattern))
                    }
                    _ => None,
                }))
            }
            Self::OnlyPaths(patterns) => {
                let is_outside = |path: &&str| !patterns.iter().any(|pattern| pattern.covers(path));
                Breach::of_paths(step.changed_files().filter(is_outside))
            }
            Self::NotAction(LimitedAction::Delete { path: pattern }) => {
                Breach::of_paths(step.effects.iter().filter_map(|effect| match effect {
                    Effect::Deleted(path) => {
                        Some(path.as_str()).filter(|path| {
                            pattern.as_ref().is_none_or(|pattern| takes(path, pattern))
                        })
                    }
                    _ => None,
                }))
            }
            Self::NotAction(action) => {
                step.effects.iter().find_map(|effect| action.broken_by(effect))
            }
        }
    }
}

/// Whether a path that was changed or deleted is covered by a pattern, or is a folder with it inside.
fn takes(path: &str, pattern: &PathPattern) -> bool {
    let rest = pattern.as_str().strip_prefix(path.trim_end_matches('/'));
    pattern.covers(path) || rest.is_some_and(|rest| rest.starts_with('/'))
}

impl LimitedAction {
    fn broken_by(&self, effect: &Effect) -> Option<Breach> {
        let command = |words: &[String]| Breach::of_command(&words.join(" "));
        let is = |wanted: &Option<String>, branch: Option<&String>| {
            wanted.is_none() || wanted.as_ref() == branch
        };
        match (self, effect) {
            (Self::Commit { branch: wanted }, Effect::Committed(branch))
                if is(wanted, branch.as_ref()) =>
            {
                Some(Breach::of_command("git commit"))
            }
            (Self::Push { branch: None }, Effect::Pushed(_)) => {
                Some(Breach::of_command("git push"))
            }
            (Self::Push { branch: Some(wanted) }, Effect::Pushed(branches))
                if branches.contains(wanted) =>
            {
                Some(Breach::of_command(&format!("git push to {wanted}")))
            }
            (Self::OpenPullRequest { base: wanted }, Effect::OpenedPullRequest(base))
                if is(wanted, base.as_ref()) =>
            {
                Some(Breach::of_command("a pull request"))
            }
            (Self::AddDependency, Effect::AddedDependency) => {
                Some(Breach::of_command("a new dependency"))
            }
            (Self::Stash, Effect::Stashed) => Some(Breach::of_command("git stash")),
            (Self::RunTests, Effect::Ran(words)) if runs_tests(words) => Some(command(words)),
            (Self::Run(wanted), Effect::Ran(words)) if is_command(words, wanted) => {
                Some(command(words))
            }
            _ => None,
        }
    }
}

/// Programs that run tests and nothing else.
const TESTERS: &str = "pytest|jest|vitest|rspec|ctest|phpunit|tox|nox|mocha|bats|nextest";
/// Programs that run the project's tests with the word `test`, or another program.
const RUNNERS: &str = "\
    cargo|go|npm|pnpm|yarn|bun|deno|make|just|task|mise|dotnet|mvn|gradle|gradlew|mix|\
    flutter|dart|swift|zig|bazel|rake|rails|uv|uvx|npx|bunx|poetry|bundle|python|python3";

fn runs_tests(words: &[String]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let program = name(program);
    let mut plain =
        rest.iter().map(|word| name(word)).filter(|word| !word.starts_with('-')).take(2);
    let is_help = rest.iter().any(|word| word == "--help" || word == "--version");
    let is_test = |word: &str| {
        is_listed(word, TESTERS) || word.split(':').any(|part| matches!(part, "test" | "tests"))
    };
    !is_help && (is_listed(program, TESTERS) || (is_listed(program, RUNNERS) && plain.any(is_test)))
}

/// Whether a command begins with these words. Options of the command are passed over, those that are wanted may stand
/// anywhere.
fn is_command(words: &[String], wanted: &str) -> bool {
    let (options, plain): (Vec<&str>, Vec<&str>) =
        wanted.split_whitespace().partition(|word| word.starts_with('-'));
    let mut ran = words.iter().enumerate().filter_map(|(at, word)| match at {
        0 => Some(name(word)),
        _ => Some(word.as_str()).filter(|word| !word.starts_with('-')),
    });
    let is_next = |(at, word): (usize, &&str)| {
        let word = if at == 0 { name(word) } else { word };
        ran.next().is_some_and(|ran| ran == word)
    };
    !plain.is_empty()
        && plain.iter().enumerate().all(is_next)
        && options.iter().all(|option| words.iter().any(|word| word == option))
}
