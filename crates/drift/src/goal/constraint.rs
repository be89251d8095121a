//! What a person forbids.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::scope::Scope;
use crate::paths::{FileKind, PathPattern, name};
use crate::words::{all_words, path_words};

/// Something that must not happen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraint {
    /// Nothing is to be changed at all: an answer or a plan is wanted.
    NoEdits,
    /// These files are not to be changed.
    NotPath(PathPattern),
    /// What belongs to it is not to be changed.
    NotTopic(Topic),
    /// What belongs to it is not to be changed where it is there already.
    NotExisting(Topic),
    /// Only these may change; one `Only` allows beside the other.
    Only(Vec<Allowed>),
    /// No new files, but perhaps in one place.
    NoNewFiles {
        /// Where they may be.
        outside: Option<PathPattern>,
    },
    /// Nothing is to be added that others wrote.
    NoNewDependencies,
    /// Nothing is to be committed, tagged or merged.
    NoCommits,
    /// Nothing is to leave this machine.
    NoPushes,
    /// No version is to be raised.
    NoVersionBumps,
    /// Nothing is to be brought into another form.
    NoReformatting,
    /// Nothing is to be removed.
    NoDeletions,
    /// What begins so is not to be run.
    NotRun(String),
    /// The code is not to contain it.
    NotUse(String),
}

/// What `Only` lets through.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Allowed {
    /// A place.
    Path(PathPattern),
    /// What belongs to it.
    Topic(Topic),
}

/// What files may have in common, wherever they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Tests and what they need.
    Tests,
    /// What people read.
    Documents,
    /// How things look.
    Styles,
    /// How data is kept: schemas and migrations.
    Schema,
    /// What runs on other machines: pipelines and workflows.
    Pipelines,
    /// Files that say what is built of what.
    Build,
    /// What is built: code that is no test.
    Production,
    /// All but what people read, where something for them to read is wanted.
    Code,
    /// Files of which the path has all these words, as the person wrote them.
    Named(BTreeSet<String>),
}

impl Topic {
    fn size(&self) -> usize {
        match self {
            Self::Named(words) => words.iter().map(|word| word.len() + 3).sum(),
            _ => 0,
        }
    }

    /// Whether a file belongs to it.
    pub fn covers(&self, path: &str) -> bool {
        let lower = path.to_ascii_lowercase();
        let has =
            |parts: &[&str]| lower.split(['/', '.', '_', '-']).any(|part| parts.contains(&part));
        match self {
            Self::Tests => FileKind::of(path) == FileKind::Test,
            Self::Documents => FileKind::of(path) == FileKind::Document,
            Self::Styles => has(&["css", "scss", "sass", "less", "styl", "styles"]),
            Self::Schema => {
                let of_another = name(&lower).split(['_', '-', '.']).any(is_of_no_database);
                has(&["migration", "migrations", "migrate", "alembic", "ddl"])
                    || (has(&["schema", "schemas"]) && !of_another)
            }
            Self::Pipelines => {
                has(&["workflows", "circleci", "ci", "jenkinsfile"]) || lower.starts_with(".gitlab")
            }
            Self::Build => FileKind::of(path) == FileKind::Build,
            Self::Production => FileKind::of(path) == FileKind::Source,
            Self::Code => FileKind::of(path) != FileKind::Document,
            Self::Named(wanted) => {
                let said = path_words(path);
                !wanted.is_empty() && wanted.iter().all(|word| is_in(word, &said))
            }
        }
    }
}

/// Whether a word is among those of a path. One Japanese term has several English words: each of them is meant.
fn is_in(word: &str, said: &BTreeSet<String>) -> bool {
    if said.contains(word) {
        return true;
    }
    let meant = all_words(word);
    if word.is_ascii() {
        !meant.is_empty() && meant.iter().all(|one| said.contains(one))
    } else {
        meant.iter().any(|one| said.contains(one))
    }
}

impl Allowed {
    fn size(&self) -> usize {
        let named = match self {
            Self::Path(pattern) => pattern.as_str().len(),
            Self::Topic(topic) => topic.size(),
        };
        named + 16
    }

    /// Whether a file is let through.
    pub fn covers(&self, path: &str) -> bool {
        match self {
            Self::Path(pattern) => pattern.covers(path),
            Self::Topic(topic) => topic.covers(path),
        }
    }
}

impl Constraint {
    /// Whether a change of the file breaks it. What concerns commands is judged elsewhere.
    pub(crate) fn is_broken_by_file(&self, path: &str, is_new: bool) -> bool {
        match self {
            Self::NoEdits => true,
            Self::NotPath(pattern) => pattern.covers(path),
            Self::NotTopic(topic) => topic.covers(path),
            Self::NotExisting(topic) => !is_new && topic.covers(path),
            // The tests of what may change come with it.
            Self::Only(allowed) => {
                let comes_along = FileKind::of(path) == FileKind::Test
                    && allowed.iter().any(|one| matches!(one, Allowed::Path(_)));
                !comes_along && !allowed.iter().any(|one| one.covers(path))
            }
            Self::NoNewFiles { outside } => {
                is_new && !outside.as_ref().is_some_and(|place| place.covers(path))
            }
            Self::NoNewDependencies
            | Self::NoCommits
            | Self::NoPushes
            | Self::NoVersionBumps
            | Self::NoReformatting
            | Self::NoDeletions
            | Self::NotRun(_)
            | Self::NotUse(_) => false,
        }
    }

    /// About so many bytes are needed to keep it.
    pub(super) fn size(&self) -> usize {
        let least = 32;
        least
            + match self {
                Self::NotPath(pattern) => pattern.as_str().len(),
                Self::NotTopic(topic) | Self::NotExisting(topic) => topic.size(),
                Self::Only(allowed) => allowed.iter().map(Allowed::size).sum(),
                Self::NoNewFiles { outside } => {
                    outside.as_ref().map_or(0, |place| place.as_str().len())
                }
                Self::NotRun(words) | Self::NotUse(words) => words.len(),
                Self::NoEdits
                | Self::NoNewDependencies
                | Self::NoCommits
                | Self::NoPushes
                | Self::NoVersionBumps
                | Self::NoReformatting
                | Self::NoDeletions => 0,
            }
    }

    /// Whether it holds for what comes after, too: what was said of one task's place ends with it.
    pub(super) fn outlives_its_task(&self) -> bool {
        match self {
            Self::NoEdits
            | Self::NotTopic(Topic::Code)
            | Self::Only(_)
            | Self::NoNewFiles { .. }
            | Self::NotUse(_) => false,
            Self::NotPath(_)
            | Self::NotTopic(_)
            | Self::NotExisting(_)
            | Self::NoNewDependencies
            | Self::NoCommits
            | Self::NoPushes
            | Self::NoVersionBumps
            | Self::NoReformatting
            | Self::NoDeletions
            | Self::NotRun(_) => true,
        }
    }

    /// Whether it says that only an answer is wanted, or a text.
    pub(super) fn puts_work_off(&self) -> bool {
        matches!(self, Self::NoEdits | Self::NotTopic(Topic::Code))
    }

    /// Whether a new instruction wants what it forbids.
    pub(super) fn is_asked_for(&self, scope: &Scope) -> bool {
        match self {
            Self::NotTopic(Topic::Tests) | Self::NotExisting(Topic::Tests) => scope.wishes.tests,
            Self::NotTopic(Topic::Documents) => scope.wishes.documents,
            Self::NotPath(pattern) => scope
                .paths
                .iter()
                .any(|path| pattern.covers(path.as_str()) || path.covers(pattern.as_str())),
            // To look at more code is no work on it.
            Self::NotTopic(Topic::Code) => false,
            Self::NotTopic(topic) => scope.paths.iter().any(|path| topic.covers(path.as_str())),
            Self::NoNewDependencies => scope.wishes.dependencies,
            Self::NoCommits | Self::NoPushes => scope.wishes.commits,
            _ => false,
        }
    }
}

/// Whether a schema with this word before it is not one of how data is kept: `config_schema.rs`.
pub(super) fn is_of_no_database(word: &str) -> bool {
    const OTHERS: &[&str] = &[
        "config",
        "configuration",
        "settings",
        "options",
        "json",
        "api",
        "openapi",
        "graphql",
        "form",
        "request",
        "response",
        "validation",
        "event",
        "message",
        "xml",
    ];
    OTHERS.contains(&word)
}

/// What a word stands for that people forbid: "tests", "the schema", "CSS".
pub(super) fn topic_of(word: &str) -> Option<Topic> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    Some(match word {
        "test" | "tests" | "spec" | "specs" | "テスト" | "テストコード" => Topic::Tests,
        "docs" | "documentation" | "doc" | "ドキュメント" => Topic::Documents,
        "css" | "style" | "styles" | "styling" | "stylesheet" | "stylesheets" | "scss"
        | "スタイル" => Topic::Styles,
        "schema" | "schemas" | "migration" | "migrations" | "スキーマ" | "マイグレーション" => {
            Topic::Schema
        }
        "ci" | "workflow" | "workflows" | "pipeline" | "pipelines" => Topic::Pipelines,
        "プロダクションコード" | "本番コード" | "プロダクトコード" => {
            Topic::Production
        }
        "lockfile" | "lockfiles" | "manifest" | "manifests" => Topic::Build,
        _ => return None,
    })
}

/// Whether it is the name of a file that says which version something is.
pub(crate) fn holds_versions(path: &str) -> bool {
    FileKind::of(path) == FileKind::Build || name(path).to_ascii_lowercase().starts_with("version")
}
