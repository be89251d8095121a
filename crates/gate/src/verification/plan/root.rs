//! The files in a project's root that a plan depends on.

use std::collections::BTreeMap;

/// The files that a plan looks for. A plan uses the text of some of these files. For the others, it
/// only matters whether they exist.
const FILES: [&str; 33] = [
    ".config/nextest.toml",
    ".flake8",
    ".golangci.toml",
    ".golangci.yaml",
    ".golangci.yml",
    ".ruff.toml",
    "Cargo.lock",
    "Cargo.toml",
    "GNUmakefile",
    "Makefile",
    "Pipfile.lock",
    "bun.lock",
    "bun.lockb",
    "conftest.py",
    "go.mod",
    "makefile",
    "mypy.ini",
    "package-lock.json",
    "package.json",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pyproject.toml",
    "pyrightconfig.json",
    "pytest.ini",
    "ruff.toml",
    "setup.cfg",
    "tests/conftest.py",
    "tox.ini",
    "tsconfig.json",
    "uv.lock",
    "yarn.lock",
    ".prettierrc",
    ".prettierrc.json",
];

/// The files of the project's root that exist, each with the beginning of its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Root(BTreeMap<&'static str, String>);

impl Root {
    /// Looks for every file. For an existing file, `text_of` returns the text, which may be cut.
    /// For a missing file, it returns `None`.
    pub fn look(text_of: impl Fn(&str) -> Option<String>) -> Self {
        Self(FILES.into_iter().filter_map(|name| Some((name, text_of(name)?))).collect())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The first of these files that exists.
    pub(super) fn first(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.has(name))
    }

    /// Whether a file has the section `name` or a section below it, such as `[tool.ruff]` and
    /// `[tool.ruff.lint]` for `tool.ruff`.
    pub(super) fn has_section(&self, file: &str, name: &str) -> bool {
        self.text(file).is_some_and(|text| {
            let headers = text.lines().filter_map(|line| line.trim().strip_prefix('['));
            headers
                .filter_map(|header| header.trim_start_matches('[').strip_prefix(name))
                .any(|rest| rest.starts_with([']', '.', ':']))
        })
    }
}
