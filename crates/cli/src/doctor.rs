//! The checks of verger's state, as data. `doctor` shows all of them, `status` those that need a
//! person.

pub(crate) mod coverage;
pub(crate) mod guard_rules;
pub(crate) mod guarding;
pub(crate) mod learnings;
pub(crate) mod log_health;
pub(crate) mod permissions;
pub(crate) mod recorded;
pub(crate) mod registration;
pub(crate) mod surroundings;
pub(crate) mod undo;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::invocation::command_error::CommandError;

/// A check that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) finding: Finding,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    Fine(String),
    /// Information that requires no action.
    Note(String),
    Problem(Problem),
}

/// A problem, and the command or step that helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) what: String,
    pub(crate) place: Option<PathBuf>,
    /// A command to run, or what a person can do.
    pub(crate) help: String,
    /// The repair that `doctor --fix` can make.
    pub(crate) repair: Option<Repair>,
}

/// A repair that `doctor --fix` makes without asking, because it loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Repair {
    /// Removes other users' permissions on these files.
    Protect(Vec<(PathBuf, u32)>),
    /// Merges spilled records, and rebuilds all derived data.
    Rebuild,
    /// Copies the hook program again.
    HookProgram,
    /// Registers verger with the agent of this name, as `verger init` does.
    Init { agent: &'static str },
    /// Registers the hooks for the current mode of the guard.
    Guarding,
}

impl Check {
    pub(crate) fn fine(name: &'static str, what: impl Into<String>) -> Self {
        Self { name, finding: Finding::Fine(what.into()) }
    }

    pub(crate) fn note(name: &'static str, what: impl Into<String>) -> Self {
        Self { name, finding: Finding::Note(what.into()) }
    }

    pub(crate) fn problem(
        name: &'static str,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let (what, help) = (what.into(), help.into());
        let problem = Problem { what, place: None, help, repair: None };
        Self { name, finding: Finding::Problem(problem) }
    }

    /// A problem that says that the check itself failed.
    pub(crate) fn failed(name: &'static str, error: impl Into<CommandError>) -> Self {
        let error = error.into();
        Self::problem(name, error.to_string(), error.hint().unwrap_or_default())
    }

    /// Adds the file that a problem is about.
    #[must_use]
    pub(crate) fn at(mut self, path: impl Into<PathBuf>) -> Self {
        if let Finding::Problem(problem) = &mut self.finding {
            problem.place = Some(path.into());
        }
        self
    }

    /// Adds the repair that `doctor --fix` can make for a problem.
    #[must_use]
    pub(crate) fn mended_by(mut self, repair: impl Into<Option<Repair>>) -> Self {
        if let Finding::Problem(problem) = &mut self.finding {
            problem.repair = repair.into();
        }
        self
    }

    /// Adds the agent that the finding is about.
    #[must_use]
    pub(crate) fn about(mut self, product: &str) -> Self {
        let text = match &mut self.finding {
            Finding::Fine(text) | Finding::Note(text) => text,
            Finding::Problem(problem) => &mut problem.what,
        };
        if !text.contains(product) {
            *text = format!("{product}: {text}");
        }
        self
    }

    pub(crate) fn as_problem(&self) -> Option<&Problem> {
        match &self.finding {
            Finding::Problem(problem) => Some(problem),
            Finding::Fine(_) | Finding::Note(_) => None,
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        match &self.finding {
            Finding::Fine(what) => json!({ "check": self.name, "finding": "fine", "what": what }),
            Finding::Note(what) => json!({ "check": self.name, "finding": "note", "what": what }),
            Finding::Problem(problem) => json!({
                "check": self.name,
                "finding": "problem",
                "what": problem.what,
                "where": problem.place,
                "help": problem.help,
                "fixable": problem.repair.is_some(),
            }),
        }
    }
}

impl Problem {
    /// The description of the problem, with its path if it has one.
    pub(crate) fn text(&self) -> String {
        match &self.place {
            Some(place) => format!("{}: {}", place.display(), self.what),
            None => self.what.clone(),
        }
    }
}
