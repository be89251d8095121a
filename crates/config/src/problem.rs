//! Problems in a layer of settings: a line of text for people, and fields for programs.
//!
//! A problem never contains a value. A configuration may contain secrets, and problems are written
//! to terminals and records.

use std::fmt;
use std::sync::Arc;

use crate::layers::Origin;

/// A problem in a layer of settings, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct Problem {
    pub place: Place,
    pub kind: ProblemKind,
}

/// The place of a problem. Lines and columns are counted from 1; columns count characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    File {
        file: Arc<str>,
    },
    Position {
        file: Arc<str>,
        line: u32,
        column: u32,
    },
    Variable {
        variable: String,
    },
    /// The place is the resolved value of a setting, given by its origins. For a problem that a
    /// single layer doesn't show.
    Setting {
        origins: Vec<Origin>,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file } => f.write_str(file),
            Self::Position { file, line, column } => write!(f, "{file}:{line}:{column}"),
            Self::Variable { variable } => f.write_str(variable),
            Self::Setting { origins } => {
                let origins: Vec<String> = origins.iter().map(ToString::to_string).collect();
                f.write_str(&origins.join(" + "))
            }
        }
    }
}

/// The part of a file that is ignored because of a statement that is not valid TOML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    Statement,
    /// A section whose header is broken. The keys below the header are ignored, because their
    /// section is unknown.
    Section,
    /// The rest of the file, because it has too many errors.
    RestOfFile,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Statement => "",
            Self::Section => "; the keys up to the next section are ignored",
            Self::RestOfFile => "; too many errors, the rest of the file is ignored",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    /// The file can't be read. The code that reads the files reports this; this crate never does.
    #[error("the file cannot be read ({reason})")]
    Unreadable { reason: String },
    #[error("the file is larger than {limit} bytes and is ignored")]
    TooLarge { limit: usize },
    #[error("the file is not UTF-8 from here on and is ignored")]
    NotUtf8,
    #[error("syntax error: {message}{loss}")]
    Syntax { message: String, loss: Loss },
    #[error("unknown key {key:?}{}", DidYouMean(nearest.as_deref()))]
    UnknownKey { key: String, nearest: Option<String> },
    #[error("unknown section {section:?}, its keys are ignored{}", DidYouMean(nearest.as_deref()))]
    UnknownSection { section: String, nearest: Option<String> },
    #[error("no setting is read from this variable{}", DidYouMean(nearest.as_deref()))]
    UnknownVariable { nearest: Option<String> },
    #[error("{key:?} is set twice; line {first_line} is used")]
    DuplicateKey { key: String, first_line: u32 },
    #[error("section {section:?} also begins on line {first_line}; both are used")]
    DuplicateSection { section: String, first_line: u32 },
    #[error("section {section:?} is not a list; write [{section}]")]
    SectionList { section: String },
    #[error("bad value for {key:?}: expected {expected}, found {found}{}", DidYouMean(*nearest))]
    BadValue { key: String, expected: String, found: String, nearest: Option<&'static str> },
    /// An entry of a list can't be interpreted. The code that uses the list reports this; this
    /// crate never does.
    #[error("entry {number} of {key:?} is ignored: {reason}")]
    BadEntry { key: &'static str, number: usize, reason: String },
    #[error("{key:?} is a key of {section:?}: write {name} = {{ ... }} below [{section}]")]
    KeyAsSection { key: String, section: &'static str, name: &'static str },
    #[error("{key:?} can only be made stricter here ({stricter}); set it in your user config.toml")]
    Loosening { key: String, stricter: &'static str },
    #[error(
        "{key:?} is ignored because this project is not trusted; `verger trust` shows the \
         project's settings and trusts it"
    )]
    Untrusted { key: String },
    #[error("{key:?} is ignored in the environment; set it in your user config.toml")]
    NotFromEnvironment { key: String },
    #[error("{key:?} is ignored in a project, trusted or not; set it in your user config.toml")]
    NotFromProject { key: String },
    #[error("this key is outside of a rule; rules are [[rule]] tables")]
    NotARule,
    #[error("rule {rule:?} is ignored: {fault}")]
    RuleLeftOut { rule: String, fault: Box<Self> },
    #[error("the rule on line {first_line} has the same name")]
    NameTaken { first_line: u32 },
    #[error("a built-in rule has the same name")]
    BuiltInName,
    #[error("a project's rules can only be risky or deny; put it into your own guard.toml")]
    ApprovesInProject,
    /// A text of a rule can't be interpreted. The code that interprets rules reports this; this
    /// crate never does.
    #[error("{key:?}: {reason}")]
    BadRuleText { key: &'static str, reason: String },
    #[error("{count} more problems are not listed")]
    NotListed { count: usize },
}

impl Problem {
    /// A stable code of the problem, for programs.
    pub fn code(&self) -> &'static str {
        match self.kind {
            ProblemKind::Unreadable { .. } => "unreadable",
            ProblemKind::TooLarge { .. } => "too-large",
            ProblemKind::NotUtf8 => "not-utf8",
            ProblemKind::Syntax { .. } => "syntax",
            ProblemKind::UnknownKey { .. } => "unknown-key",
            ProblemKind::UnknownSection { .. } => "unknown-section",
            ProblemKind::UnknownVariable { .. } => "unknown-variable",
            ProblemKind::DuplicateKey { .. } => "duplicate-key",
            ProblemKind::DuplicateSection { .. } => "duplicate-section",
            ProblemKind::SectionList { .. } => "section-list",
            ProblemKind::BadValue { .. } => "bad-value",
            ProblemKind::BadEntry { .. } => "bad-entry",
            ProblemKind::KeyAsSection { .. } => "key-as-section",
            ProblemKind::Loosening { .. } => "loosening",
            ProblemKind::Untrusted { .. } => "untrusted",
            ProblemKind::NotFromEnvironment { .. } => "not-from-environment",
            ProblemKind::NotFromProject { .. } => "not-from-project",
            ProblemKind::NotARule => "not-a-rule",
            ProblemKind::RuleLeftOut { .. } => "rule-left-out",
            ProblemKind::NameTaken { .. } => "name-taken",
            ProblemKind::BuiltInName => "built-in-name",
            ProblemKind::ApprovesInProject => "approves-in-project",
            ProblemKind::BadRuleText { .. } => "bad-rule-text",
            ProblemKind::NotListed { .. } => "not-listed",
        }
    }

    /// The problem's message without its place.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }

    pub fn file(&self) -> Option<&str> {
        match &self.place {
            Place::File { file } | Place::Position { file, .. } => Some(file),
            Place::Variable { .. } | Place::Setting { .. } => None,
        }
    }

    /// The line and column of the problem, if it has a position.
    pub fn position(&self) -> Option<(u32, u32)> {
        match self.place {
            Place::Position { line, column, .. } => Some((line, column)),
            Place::File { .. } | Place::Variable { .. } | Place::Setting { .. } => None,
        }
    }

    pub fn variable(&self) -> Option<&str> {
        match &self.place {
            Place::Variable { variable } => Some(variable),
            Place::File { .. } | Place::Position { .. } | Place::Setting { .. } => None,
        }
    }

    /// The path of the known key that has the problem, if any.
    pub fn key(&self) -> Option<&str> {
        match &self.kind {
            ProblemKind::DuplicateKey { key, .. }
            | ProblemKind::BadValue { key, .. }
            | ProblemKind::Loosening { key, .. }
            | ProblemKind::KeyAsSection { key, .. }
            | ProblemKind::Untrusted { key }
            | ProblemKind::NotFromEnvironment { key }
            | ProblemKind::NotFromProject { key } => Some(key),
            ProblemKind::BadEntry { key, .. } => Some(key),
            _ => None,
        }
    }

    /// The key, section or word that the person probably meant, if any.
    pub fn nearest(&self) -> Option<&str> {
        match &self.kind {
            ProblemKind::UnknownKey { nearest, .. }
            | ProblemKind::UnknownSection { nearest, .. }
            | ProblemKind::UnknownVariable { nearest } => nearest.as_deref(),
            ProblemKind::BadValue { nearest, .. } => *nearest,
            _ => None,
        }
    }
}

struct DidYouMean<'a>(Option<&'a str>);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(nearest) => write!(f, "; did you mean {nearest:?}?"),
            None => Ok(()),
        }
    }
}
