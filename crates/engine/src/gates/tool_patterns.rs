//! The tool patterns in the settings: tools that need an approval, and watched tools.

use verger_agent::{OnlyShellHasCommands, PatternText, pattern_text};
use verger_config::{Problem, Settings};
use verger_gate::{BadToolPattern, ToolPattern};

/// The tools that need an approval. Invalid patterns are reported by [`problems`].
pub(crate) fn gated_patterns(settings: &Settings) -> Vec<ToolPattern> {
    parsed(&settings.review.gated_tools.value)
}

/// The watched tools, in addition to those that test, build and lint.
pub(crate) fn watched_patterns(settings: &Settings) -> Vec<ToolPattern> {
    parsed(&settings.verification.watch.value)
}

fn parsed(texts: &[String]) -> Vec<ToolPattern> {
    texts.iter().filter_map(|text| pattern(text).ok()).collect()
}

/// A text in the settings that is not a valid pattern.
#[derive(Debug, thiserror::Error)]
enum BadPattern {
    #[error(transparent)]
    Text(#[from] OnlyShellHasCommands),
    #[error(transparent)]
    Pattern(#[from] BadToolPattern),
}

fn pattern(text: &str) -> Result<ToolPattern, BadPattern> {
    Ok(match pattern_text(text)? {
        PatternText::Tool(name) => ToolPattern::tool(name)?,
        PatternText::Command(command) => ToolPattern::command(text, command)?,
    })
}

/// The invalid patterns in the settings.
pub(crate) fn problems(settings: &Settings) -> Vec<Problem> {
    let lists = [
        ("review.gated_tools", &settings.review.gated_tools),
        ("verification.watch", &settings.verification.watch),
    ];
    let bad = lists.into_iter().flat_map(|(key, list)| {
        list.value.iter().enumerate().filter_map(move |(number, text)| {
            let bad = pattern(text).err()?;
            Some(list.bad_entry(key, number + 1, bad.to_string()))
        })
    });
    bad.collect()
}
