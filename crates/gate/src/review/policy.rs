//! How the gate is set. The settings' own words are in `config`; the hook puts them into this form.

use crate::blocks;

/// What the user wants of reviews.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// When a review is wanted.
    pub mode: Mode,
    /// Words at the beginning of a prompt that ask for a review.
    pub triggers: Vec<String>,
    /// For how long an approval opens gated tools.
    pub scope: Scope,
    /// After how long an approval opens them no more, whatever the scope.
    pub approval_ttl_millis: Option<u64>,
    /// What a review that could not be made leads to.
    pub on_unavailable: OnUnavailable,
    /// How patient the gate is.
    pub blocks: blocks::Policy,
}

/// When a review is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// When a prompt asks for it.
    #[default]
    Prompt,
    /// For every task that changed something.
    Always,
    /// Never; gated tools still want one.
    Never,
}

/// For how long an approval opens gated tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Until the session ends, whatever changes.
    Session,
    /// Until a person speaks again.
    #[default]
    Prompt,
    /// For the one call that was denied.
    Tool,
}

/// What a review that could not be made leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnUnavailable {
    /// The agent may go, and the person is told.
    #[default]
    Release,
    /// The gate stays closed, within the bounds of all gates.
    Block,
}

impl Policy {
    /// The word at the beginning of the prompt that asks for a review.
    pub fn trigger_in<'a>(&'a self, prompt: &str) -> Option<&'a str> {
        let prompt = prompt.trim_start();
        let asks = |word: &&String| {
            prompt.strip_prefix(word.as_str()).is_some_and(|rest| {
                let next = rest.chars().next();
                next.is_none_or(|char| !char.is_alphanumeric() && !matches!(char, '_' | '-' | '/'))
            })
        };
        self.triggers.iter().filter(|word| !word.is_empty()).find(asks).map(String::as_str)
    }
}
