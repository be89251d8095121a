//! Detects the commands that the files of a Python project suggest.

use super::super::check::CheckKind;
use super::super::reading::Reading;
use super::{Found, Root};

const PYPROJECT: &str = "pyproject.toml";

pub(super) fn detect(root: &Root) -> Vec<Found> {
    let within = Environment::of(root);
    let tool = |kind, tool: &'static str, file, arguments: &[&str]| {
        Found::checks(kind, tool, file, within.argv(tool, arguments), Reading::ExitCode)
    };
    let ruff = configured(root, &["ruff.toml", ".ruff.toml"], "tool.ruff");
    let lint = match ruff {
        Some(file) => Some(tool(CheckKind::Lint, "ruff", file, &["check", "--no-fix", "."])),
        None => root.first(&[".flake8"]).map(|file| tool(CheckKind::Lint, "flake8", file, &["."])),
    };
    let format = match (configured(root, &[], "tool.black"), ruff) {
        (Some(file), _) => Some(tool(CheckKind::Format, "black", file, &["--check", "."])),
        (None, Some(file)) => {
            Some(tool(CheckKind::Format, "ruff", file, &["format", "--check", "."]))
        }
        (None, None) => None,
    };
    let types = match (
        configured(root, &["mypy.ini"], "tool.mypy"),
        configured(root, &["pyrightconfig.json"], "tool.pyright"),
    ) {
        (Some(file), _) => Some(tool(CheckKind::Types, "mypy", file, &["."])),
        (None, Some(file)) => Some(tool(CheckKind::Types, "pyright", file, &[])),
        (None, None) => None,
    };
    [lint, format, types, tests(root, &within)].into_iter().flatten().collect()
}

fn tests(root: &Root, within: &Environment) -> Option<Found> {
    let of_pytest = configured(root, &["pytest.ini"], "tool.pytest")
        .or_else(|| root.has_section("tox.ini", "pytest").then_some("tox.ini"))
        .or_else(|| root.has_section("setup.cfg", "tool:pytest").then_some("setup.cfg"))
        .or_else(|| root.first(&["conftest.py", "tests/conftest.py"]));
    if let Some(file) = of_pytest {
        // `-rfE` lists the failed tests at the end. `no:cacheprovider` prevents pytest from writing
        // a cache.
        let arguments = ["-q", "-rfE", "--color=no", "-p", "no:cacheprovider"];
        let argv = within.argv("pytest", &arguments);
        return Some(Found::checks(CheckKind::Tests, "pytest", file, argv, Reading::Pytest));
    }
    let of_tox = root.has_section("tox.ini", "testenv");
    of_tox.then(|| Found::checks(CheckKind::Tests, "tox", "tox.ini", ["tox"], Reading::ExitCode))
}

/// The file that configures a tool: the tool's own file, or `pyproject.toml` if it has this
/// section.
fn configured(root: &Root, own: &[&'static str], section: &str) -> Option<&'static str> {
    root.first(own).or_else(|| root.has_section(PYPROJECT, section).then_some(PYPROJECT))
}

/// The environment in which the project's tools are installed.
enum Environment {
    /// A program such as `uv run`, which runs tools in the project's environment.
    By(&'static [&'static str]),
    /// The Python interpreter on the path.
    Interpreter,
}

impl Environment {
    fn of(root: &Root) -> Self {
        const KEEPERS: [(&str, &[&str]); 3] = [
            ("uv.lock", &["uv", "run", "--locked"]),
            ("poetry.lock", &["poetry", "run"]),
            ("Pipfile.lock", &["pipenv", "run"]),
        ];
        let keeper = KEEPERS.iter().find(|(lock, _)| root.has(lock));
        keeper.map_or(Self::Interpreter, |(_, words)| Self::By(words))
    }

    fn argv(&self, tool: &'static str, arguments: &[&str]) -> Vec<String> {
        let words: &[&str] = match self {
            Self::By(words) => words,
            Self::Interpreter => &["python3", "-m"],
        };
        words.iter().chain([&tool]).chain(arguments).map(|&word| word.to_owned()).collect()
    }
}
