//! Makes the plan of a verification: verger's own checks, and then commands. The commands are
//! configured, or the files in the project's root suggest them.
//!
//! A command is a list of words and never runs in a shell. Detected commands don't write: they
//! don't format, fix, or fetch packages that a lock file doesn't name.

mod cargo;
mod go;
mod make;
mod node;
mod python;
mod root;
mod words;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use verger_event::hex;

use super::Depth;
use super::check::CheckKind;
use super::judged::Requirement;
use super::reading::Reading;

pub use root::Root;
pub use words::command_line;

/// A check that a verification plans.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedCheck {
    /// The name of the check, which is unique in a plan.
    pub name: String,
    /// The kind of the check.
    pub kind: CheckKind,
    /// The method of making the check.
    pub way: Way,
}

/// The method of making a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Way {
    /// verger makes the check itself.
    Own,
    /// A command makes the check.
    Command {
        /// The program and its arguments.
        argv: Vec<String>,
        /// The format in which the command's output is parsed.
        reading: Reading,
        /// The source of the command: a key of the configuration, or a file in the project's root.
        origin: Origin,
    },
    /// The check should run, but no usable command is known.
    Missing {
        /// The reason why no command is usable, and what to do about it.
        why: String,
    },
    /// The check isn't made, because only a deeper verification includes it.
    NotInDepth {
        /// The shallowest depth that includes the check.
        needs: Depth,
    },
    /// There is nothing to check.
    Skipped {
        /// The reason why there is nothing to check.
        why: String,
    },
}

/// The source of a check's command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Origin {
    /// The command is set in the configuration.
    Set {
        /// The key of the configuration.
        key: String,
    },
    /// A file in the project's root suggests the command.
    Detected {
        /// The name of the file.
        file: String,
    },
}

/// The commands from the configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The command that runs the linter.
    pub lint: Option<Vec<String>>,
    /// The command that checks the format.
    pub format: Option<Vec<String>>,
    /// The command that checks the types.
    pub types: Option<Vec<String>>,
    /// The command that runs the tests.
    pub tests: Option<Vec<String>>,
    /// The command that runs a smaller set of tests, for the depth quick.
    pub quick_tests: Option<Vec<String>>,
    /// The commands that check whether the work meets the request.
    pub acceptance: Vec<Vec<String>>,
    /// The keys that the project sets but verger ignores, because the person doesn't trust the
    /// project.
    pub untrusted: Vec<String>,
}

/// A hash of the planned checks and of the requirements. Two plans with the same hash give the same
/// results for the same content.
pub fn plan_name(checks: &[PlannedCheck], required: &[Requirement]) -> String {
    let mut hash = Sha256::new_with_prefix("verger plan\0");
    // Serializing checks can't fail.
    hash.update(serde_json::to_vec(checks).unwrap_or_default());
    let required: BTreeSet<_> = required.iter().collect();
    for requirement in required {
        hash.update(format!("\0{}", requirement.as_str()));
    }
    hex(&hash.finalize()[..16])
}

/// The checks of a depth, in the order in which they run.
///
/// Every depth has every kind of check. For tests and acceptance commands, the depth decides
/// whether or which commands run.
pub fn plan(depth: Depth, root: &Root, chosen: &Chosen) -> Vec<PlannedCheck> {
    let found = detect(root);
    let mut checks: Vec<_> = CheckKind::ALL
        .into_iter()
        .flat_map(|kind| checks_of(kind, depth, &found, chosen))
        .collect();
    for check in checks.iter_mut().filter(|check| check.kind.depth() > depth) {
        check.way = Way::NotInDepth { needs: check.kind.depth() };
    }
    checks
}

fn checks_of(kind: CheckKind, depth: Depth, found: &[Found], chosen: &Chosen) -> Vec<PlannedCheck> {
    let name = kind.words().to_owned();
    let only = |way| vec![PlannedCheck { name: name.clone(), kind, way }];
    let (key, set) = match kind {
        CheckKind::GitState | CheckKind::OpenTasks | CheckKind::StubMarkers | CheckKind::Review => {
            return only(Way::Own);
        }
        CheckKind::Acceptance if chosen.does_not_count(ACCEPTANCE) => {
            return only(untrusted(ACCEPTANCE));
        }
        CheckKind::Acceptance => return acceptance(&chosen.acceptance),
        CheckKind::Lint => ("verification.lint", &chosen.lint),
        CheckKind::Format => ("verification.format", &chosen.format),
        CheckKind::Types => ("verification.types", &chosen.types),
        CheckKind::Tests if depth == Depth::Quick && chosen.has_quick_tests() => {
            ("verification.quick_tests", &chosen.quick_tests)
        }
        CheckKind::Tests => ("verification.tests", &chosen.tests),
    };
    if chosen.does_not_count(key) {
        return only(untrusted(key));
    }
    if let Some(argv) = set {
        return only(set_by(key, argv));
    }
    let found: Vec<_> = found.iter().filter(|found| found.kind == kind).collect();
    match (found.as_slice(), kind) {
        ([], CheckKind::Tests) => only(Way::Missing {
            why: format!("no command was found that runs the tests; set {key}"),
        }),
        ([], _) => only(Way::Skipped {
            why: format!("no command was found for this check; {key} sets one"),
        }),
        (found, _) => found.iter().map(|found| found.planned(key)).collect(),
    }
}

const ACCEPTANCE: &str = "verification.acceptance";

impl Chosen {
    fn does_not_count(&self, key: &str) -> bool {
        self.untrusted.iter().any(|untrusted| untrusted == key)
    }

    fn has_quick_tests(&self) -> bool {
        self.quick_tests.is_some() || self.does_not_count("verification.quick_tests")
    }
}

fn untrusted(key: &str) -> Way {
    let why = format!(
        "{key} is set by this project, which is not trusted; only a person can run `verger trust`"
    );
    Way::Missing { why }
}

fn acceptance(commands: &[Vec<String>]) -> Vec<PlannedCheck> {
    let planned = (1..).zip(commands).map(|(number, argv)| PlannedCheck {
        name: format!("acceptance {number}"),
        kind: CheckKind::Acceptance,
        way: set_by("verification.acceptance", argv),
    });
    planned.collect()
}

fn set_by(key: &str, argv: &[String]) -> Way {
    Way::Command {
        argv: argv.to_vec(),
        reading: Reading::of_command(argv),
        origin: Origin::Set { key: key.to_owned() },
    }
}

/// A command that a file in the project's root suggests.
struct Found {
    kind: CheckKind,
    /// The name of the command's program, for people.
    tool: &'static str,
    file: &'static str,
    command: FoundCommand,
}

enum FoundCommand {
    Checks(Vec<String>, Reading),
    /// The command would change files, so it can't be used as a check.
    Edits(Vec<String>),
}

impl Found {
    fn checks(
        kind: CheckKind,
        tool: &'static str,
        file: &'static str,
        argv: impl IntoIterator<Item = impl Into<String>>,
        reading: Reading,
    ) -> Self {
        let argv = argv.into_iter().map(Into::into).collect();
        Self { kind, tool, file, command: FoundCommand::Checks(argv, reading) }
    }

    fn planned(&self, key: &str) -> PlannedCheck {
        let way = match &self.command {
            FoundCommand::Checks(argv, reading) => Way::Command {
                argv: argv.clone(),
                reading: *reading,
                origin: Origin::Detected { file: self.file.to_owned() },
            },
            // The project has a command for this check, so a verification without the check is
            // incomplete.
            FoundCommand::Edits(argv) => Way::Missing {
                why: format!(
                    "`{}` changes files; set {key} to a command that only checks",
                    command_line(argv)
                ),
            },
        };
        let name = format!("{} ({})", self.kind.words(), self.tool);
        PlannedCheck { name, kind: self.kind, way }
    }
}

/// Detects the commands that the files in the project's root suggest. A makefile's targets are used
/// only for kinds of checks that have no other command.
fn detect(root: &Root) -> Vec<Found> {
    let mut found = cargo::detect(root);
    found.extend(node::detect(root));
    found.extend(python::detect(root));
    found.extend(go::detect(root));
    let made = make::detect(root).into_iter();
    let made: Vec<_> =
        made.filter(|made| found.iter().all(|found| found.kind != made.kind)).collect();
    found.extend(made);
    found
}

#[cfg(test)]
mod tests;
