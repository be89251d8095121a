//! Detects the commands that a `package.json` suggests: its scripts, and then the tools in its
//! dependencies.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::check::CheckKind;
use super::super::reading::Reading;
use super::{Found, FoundCommand, Root};

const FILE: &str = "package.json";

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Package {
    scripts: BTreeMap<String, String>,
    dependencies: BTreeMap<String, serde_json::Value>,
    dev_dependencies: BTreeMap<String, serde_json::Value>,
}

/// The names of scripts for each kind of check. The first script that exists is used.
const SCRIPTS: [(CheckKind, &[&str]); 4] = [
    (CheckKind::Lint, &["lint:check", "lint"]),
    (
        CheckKind::Format,
        &["format:check", "format-check", "check:format", "fmt:check", "prettier:check"],
    ),
    (CheckKind::Types, &["typecheck", "type-check", "check-types", "types", "tsc"]),
    (CheckKind::Tests, &["test"]),
];

/// Options that make a linter or a formatter write files.
const EDITING: [&str; 3] = ["--fix", "--write", "-w"];

/// The placeholder script that `npm init` writes. It isn't a test.
const NO_TEST: &str = "no test specified";

pub(super) fn detect(root: &Root) -> Vec<Found> {
    let Some(text) = root.text(FILE) else { return vec![] };
    // A `package.json` that can't be parsed suggests no commands.
    let package: Package = serde_json::from_str(text).unwrap_or_default();
    let manager = Manager::of(root);
    let found = SCRIPTS.iter().filter_map(|(kind, names)| {
        by_script(*kind, names, &package, manager)
            .or_else(|| by_tool(*kind, root, &package, manager))
    });
    found.collect()
}

fn by_script(
    kind: CheckKind,
    names: &[&str],
    package: &Package,
    manager: Manager,
) -> Option<Found> {
    let (name, script) = names.iter().find_map(|&name| Some((name, package.scripts.get(name)?)))?;
    if script.contains(NO_TEST) {
        return None;
    }
    let command = if script.split_ascii_whitespace().any(|word| EDITING.contains(&word)) {
        FoundCommand::Edits(manager.script(name, &[]))
    } else {
        let (arguments, reading) = report_of(kind, script);
        FoundCommand::Checks(manager.script(name, arguments), reading)
    };
    Some(Found { kind, tool: manager.name(), file: FILE, command })
}

/// The additional arguments with which a test runner writes a format that verger can parse.
/// Arguments are added only if the script is a single command.
fn report_of(kind: CheckKind, script: &str) -> (&'static [&'static str], Reading) {
    let is_one = !script.contains(['&', '|', ';', '>', '<', '$', '`', '\n']);
    match script.split_ascii_whitespace().next() {
        Some("jest") if kind == CheckKind::Tests && is_one => (&["--json"], Reading::Jest),
        Some("vitest") if kind == CheckKind::Tests && is_one => {
            (&["--reporter=json"], Reading::Jest)
        }
        _ => (&[], Reading::ExitCode),
    }
}

fn by_tool(kind: CheckKind, root: &Root, package: &Package, manager: Manager) -> Option<Found> {
    let depends = |name: &str| {
        package.dependencies.contains_key(name) || package.dev_dependencies.contains_key(name)
    };
    let (tool, arguments): (_, &[&str]) = match kind {
        CheckKind::Format if depends("prettier") => ("prettier", &["--check", "."]),
        CheckKind::Types if depends("typescript") && root.has("tsconfig.json") => {
            ("tsc", &["--noEmit"])
        }
        _ => return None,
    };
    Some(Found::checks(kind, tool, FILE, manager.tool(tool, arguments), Reading::ExitCode))
}

/// The package manager that runs scripts, detected from the lock file.
#[derive(Clone, Copy)]
enum Manager {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

impl Manager {
    fn of(root: &Root) -> Self {
        match root.first(&["pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"]) {
            Some("pnpm-lock.yaml") => Self::Pnpm,
            Some("yarn.lock") => Self::Yarn,
            Some("bun.lock" | "bun.lockb") => Self::Bun,
            _ => Self::Npm,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pnpm => "pnpm",
            Self::Yarn => "yarn",
            Self::Bun => "bun",
        }
    }

    fn script(self, name: &str, arguments: &[&str]) -> Vec<String> {
        // npm needs `--` before the arguments of a script. Without it, npm parses them as its own.
        let between: &[&str] = match self {
            Self::Npm if !arguments.is_empty() => &["--"],
            _ => &[],
        };
        words([&[self.name(), "run", name], between, arguments])
    }

    /// The command for a tool that is installed in the project. This command never downloads the
    /// tool.
    fn tool(self, name: &str, arguments: &[&str]) -> Vec<String> {
        let by: &[&str] = match self {
            Self::Npm => &["npx", "--no-install"],
            Self::Pnpm => &["pnpm", "exec"],
            Self::Yarn => &["yarn", "run"],
            Self::Bun => &["bunx", "--no-install"],
        };
        words([by, &[name], arguments])
    }
}

fn words(parts: [&[&str]; 3]) -> Vec<String> {
    parts.concat().into_iter().map(str::to_owned).collect()
}
