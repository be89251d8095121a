//! Whether a change of a manifest adds a dependency.

use crate::paths::{FileKind, name};

/// Whether the new text lists something that the old one does not.
pub(super) fn is_added(file: &str, old: &str, new: &str) -> bool {
    if FileKind::of(file) != FileKind::Build {
        return false;
    }
    let form = Form::of(name(file));
    new.lines().filter_map(|line| form.required(line)).any(|required| !old.contains(required))
}

/// How a manifest lists what it needs.
enum Form {
    /// One a line: `requirements.txt`.
    Lines,
    /// Behind a word: `gem "x"`, `implementation("x")`.
    Words(&'static [&'static str]),
    /// A name and a version: `x = "1"`, `"x": "^1"`.
    Pairs,
}

impl Form {
    fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        if name.starts_with("requirements") {
            Self::Lines
        } else if name.starts_with("gemfile") || name.ends_with(".gemspec") {
            Self::Words(&["gem ", "add_dependency "])
        } else if name.contains("gradle") {
            Self::Words(&[
                "implementation(",
                "implementation ",
                "api(",
                "testImplementation(",
                "runtimeOnly(",
            ])
        } else if name == "pom.xml" {
            Self::Words(&["<artifactId>"])
        } else if name == "package.swift" {
            Self::Words(&[".package("])
        } else if name == "go.mod" {
            Self::Words(&["require ", "\t"])
        } else {
            Self::Pairs
        }
    }

    /// What a line lists.
    fn required<'a>(&self, line: &'a str) -> Option<&'a str> {
        match self {
            Self::Lines => {
                first_name(line.trim()).filter(|_| !line.trim_start().starts_with(['#', '-']))
            }
            Self::Words(words) => {
                let rest = words.iter().find_map(|word| Some(line.split_once(word)?.1))?;
                first_name(rest)
            }
            Self::Pairs => {
                let line = line.trim();
                let (before, after) =
                    line.split_once(['=', ':']).or_else(|| line.split_once(['>', '~', '^']))?;
                let is_version = after.contains(|c: char| c.is_ascii_digit())
                    || after.contains("workspace")
                    || after.contains("git");
                let is_setting = SETTINGS.contains(&first_name(before)?);
                first_name(before).filter(|_| {
                    is_version
                        && !is_setting
                        && !before.contains(' ')
                            | before.trim().ends_with('"')
                            | !before.trim().contains(' ')
                })
            }
        }
    }
}

/// Keys with numbers that are no dependencies.
const SETTINGS: &[&str] = &[
    "version",
    "edition",
    "rust-version",
    "node",
    "python",
    "requires-python",
    "opt-level",
    "codegen-units",
    "port",
    "line-length",
    "target-version",
    "name",
    "description",
    "engines",
    "packageManager",
    "resolver",
    "license",
    "addopts",
    "test",
    "start",
    "build",
    "lint",
];

fn first_name(text: &str) -> Option<&str> {
    let is_of_name = |c: char| c.is_alphanumeric() || "-_./@:".contains(c);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@');
    let end = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    Some(&text[..end]).filter(|name| name.len() >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_line_of_a_manifest_is_a_dependency() {
        let cases = [
            ("Cargo.toml", "serde = \"1\"", "serde = \"1\"\nregex = \"1\"", true),
            ("Cargo.toml", "time = \"0.1\"", "time = \"0.3\"", false),
            ("Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\"", false),
            (
                "package.json",
                "\"a\": \"^1.0.0\"",
                "\"a\": \"^1.0.0\",\n\"lodash\": \"^4.17.21\"",
                true,
            ),
            ("package.json", "\"scripts\": {", "\"scripts\": {\n\"test\": \"vitest 1\"", false),
            ("requirements.txt", "Django==5.0", "Django==5.0\nopenpyxl==3.1.5", true),
            ("Gemfile", "gem \"rack\"", "gem \"rack\"\ngem \"rspec\"", true),
            (
                "pyproject.toml",
                "\"requests>=2.31\",",
                "\"requests>=2.31\",\n\"httpx>=0.27\",",
                true,
            ),
            ("src/a.rs", "", "let a = 1;", false),
        ];
        for (file, old, new, expected) in cases {
            assert_eq!(is_added(file, old, new), expected, "{file} {new}");
        }
    }
}
