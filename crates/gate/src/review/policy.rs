//! The settings of the review gate. `config` parses them, and the hook converts them into this
//! form.

use crate::blocks;

/// The settings for reviews.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// The condition under which a review is required.
    pub mode: Mode,
    /// Words at the beginning of a prompt that ask for a review.
    pub triggers: Vec<String>,
    /// The scope in which an approval opens gated tools.
    pub scope: Scope,
    /// The maximum age of an approval that opens gated tools, in any scope. `None` for no maximum.
    pub approval_ttl_millis: Option<u64>,
    /// The reaction if a review isn't possible.
    pub on_unavailable: OnUnavailable,
    /// The limits on refused stops.
    pub blocks: blocks::Policy,
}

/// The condition under which a review is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Mode {
    /// A review is never required, except for gated tools.
    Never,
    /// A review is required if a prompt asks for one.
    #[default]
    Prompt,
    /// A review is required for every task that changed something.
    Always,
}

/// The scope of an approval: the time or the calls for which it opens gated tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Scope {
    /// The approval counts until the session ends, even if the content changes.
    Session,
    /// The approval counts until a person sends another prompt.
    #[default]
    Prompt,
    /// The approval counts for the one call that was denied.
    Tool,
}

/// The reaction if a review isn't possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum OnUnavailable {
    /// The agent may stop, and the person gets a notice.
    #[default]
    Release,
    /// The gate stays closed until a limit on refused stops is reached.
    Block,
}

impl Policy {
    /// The trigger word at the beginning of the prompt, if there is one.
    pub fn trigger_in<'a>(&'a self, prompt: &str) -> Option<&'a str> {
        let prompt = prompt.trim_start();
        let asks = |word: &&String| {
            let rest = prompt.strip_prefix(word.as_str());
            rest.is_some_and(|rest| !rest.chars().next().is_some_and(continues_word))
        };
        self.triggers.iter().filter(|word| !word.is_empty()).find(asks).map(String::as_str)
    }
}

/// Whether this character after a trigger word makes it a longer word. Scripts without upper and
/// lower case, such as Japanese, may follow a word without a space.
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
