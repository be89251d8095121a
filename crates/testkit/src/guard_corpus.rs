//! The labelled commands of the permission guard.

use serde::Deserialize;

/// A command, labelled with the verdict that the guard should give.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledCommand {
    /// Category, and position in the category.
    pub id: String,
    /// The topic of the command, or how its effect is hidden.
    pub category: String,
    /// The text for bash.
    pub command: String,
    /// The verdict that the guard should give.
    pub label: Label,
    /// Whether the command is a common safe one, or destructive and not hidden.
    pub plain: bool,
    #[serde(default, rename = "why")]
    _why: Option<String>,
}

/// The verdict that the guard should give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// Approve.
    Safe,
    /// Neither approve nor deny.
    Ask,
    /// Deny.
    Deny,
}

/// A part of the labelled commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The part with which rules are developed.
    Tune,
    /// The part with which rules are tested.
    Check,
}

/// All commands of a part, in the order of the file.
pub fn labelled_commands(part: Part) -> Vec<LabelledCommand> {
    let lines = match part {
        Part::Tune => include_str!("../../gate/tests/corpus/guard-tune.jsonl"),
        Part::Check => include_str!("../../gate/tests/corpus/guard-check.jsonl"),
    };
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
