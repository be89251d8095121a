//! The settings of the gate. `config` parses them; the hook converts them into this form.

use crate::blocks;

/// The settings for reviews.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// The condition under which a review is wanted.
    pub mode: Mode,
    /// Words at the beginning of a prompt that ask for a review.
    pub triggers: Vec<String>,
    /// The scope in which an approval opens gated tools.
    pub scope: Scope,
    /// The time after which an approval no longer opens them, in any scope.
    pub approval_ttl_millis: Option<u64>,
    /// The consequence if a review isn't possible.
    pub on_unavailable: OnUnavailable,
    /// The limits for refused stops.
    pub blocks: blocks::Policy,
}

/// The condition under which a review is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Mode {
    /// Never; gated tools still want one.
    Never,
    /// When a prompt asks for it.
    #[default]
    Prompt,
    /// For every task that changed something.
    Always,
}

/// The scope in which an approval opens gated tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Scope {
    /// Until the session ends, even if the content changes.
    Session,
    /// Until a person gives another prompt.
    #[default]
    Prompt,
    /// For the one call that was denied.
    Tool,
}

/// The consequence if a review isn't possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
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
            let rest = prompt.strip_prefix(word.as_str());
            rest.is_some_and(|rest| !rest.chars().next().is_some_and(continues_word))
        };
        self.triggers.iter().filter(|word| !word.is_empty()).find(asks).map(String::as_str)
    }
}

/// Whether this character continues a word. Scripts without capitals (Japanese, Chinese) may follow
/// a word without a space.
fn continues_word(char: char) -> bool {
    let is_letter = char.is_lowercase() || char.is_uppercase();
    is_letter || char.is_numeric() || matches!(char, '_' | '-' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trigger_is_a_whole_word_in_any_script() {
        let policy = Policy { triggers: vec!["#review".to_owned()], ..Policy::default() };
        for asks in
            ["#review", " #review it", "#review:", "#review、", "#reviewバグ", "#review修复"]
        {
            assert_eq!(policy.trigger_in(asks), Some("#review"), "{asks}");
        }
        for other in ["#reviewer", "#reviewé", "#reviewжи", "#review2", "#review-it", "a #review"]
        {
            assert_eq!(policy.trigger_in(other), None, "{other}");
        }
    }
}
