//! Parses a reflection, which an agent or a person writes at the end of a piece of work: candidates
//! for learnings, and learnings that helped. The form is JSON or Markdown. A problem with one
//! candidate doesn't affect the others.

mod json;
mod markdown;

use crate::candidate::{Candidate, Reason};
use crate::learning_id::LearningId;

/// The JSON Schema of a reflection.
pub const SCHEMA: &str = include_str!("../templates/reflection.schema.json");
/// An example of an accepted reflection in JSON.
pub const EXAMPLE: &str = include_str!("../templates/reflection.example.json");
/// The reflection of [`EXAMPLE`] in Markdown.
pub const EXAMPLE_MARKDOWN: &str = include_str!("../templates/reflection.example.md");

/// The maximum number of candidates of a reflection.
pub const MAX_CANDIDATES: usize = 50;

/// A parsed reflection, not judged yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reflection {
    /// The session id that the reflection names.
    pub session: Option<String>,
    /// The offered candidates, in order.
    pub offers: Vec<Offered>,
    /// Learnings that helped, as the reflection lists them.
    pub used: Vec<Used>,
    /// Further notes in the reflection. They become no learning.
    pub notes: Option<String>,
    /// Remarks on parts of the reflection that were interpreted differently from how they were
    /// written.
    pub remarks: Vec<String>,
}

/// A candidate in a reflection, and those of its fields that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offered {
    /// The readable fields of the candidate.
    pub candidate: Candidate,
    /// The candidate's fields that couldn't be read, with reasons.
    pub unreadable: Vec<Reason>,
}

/// A learning that helped, as a reflection names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// The learning's id.
    pub id: LearningId,
    /// The agent's or person's note on how the learning helped, if there is one.
    pub how: Option<String>,
}

/// The reason why a text isn't a reflection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoReflection {
    /// The text of the reflection is empty.
    #[error("the reflection is empty; write JSON with a list `candidates`")]
    Empty,
    /// The text begins like JSON but isn't valid JSON.
    #[error("line {line}, column {column} is not JSON: {says}")]
    NotJson {
        /// The line with the syntax error, from 1.
        line: usize,
        /// The column of the syntax error.
        column: usize,
        /// The message of the JSON parser.
        says: String,
    },
    /// The text is JSON without a list of candidates.
    #[error("the JSON has no list `candidates`: write {{\"candidates\": [{{..}}, ..]}}")]
    NoCandidates,
    /// The text is Markdown without an entry for a candidate.
    #[error(
        "the reflection is neither JSON nor Markdown that has one `## summary` per candidate, \
         with its fields, such as `- category: pitfall`, below"
    )]
    NoSections,
    /// The reflection has too many candidates.
    #[error("{found} candidates are too many: keep the {MAX_CANDIDATES} that matter most")]
    TooMany {
        /// The number of candidates in the reflection.
        found: usize,
    },
}

impl Reflection {
    /// Parses a reflection from Markdown, or from JSON, which may be inside a code fence.
    pub fn read(text: &str) -> Result<Self, NoReflection> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Err(NoReflection::Empty);
        }
        let inside = without_fence(text);
        let reflection = if inside.starts_with(['{', '[']) {
            json::read(inside)?
        } else {
            markdown::read(text)?
        };
        match reflection.offers.len() {
            found if found > MAX_CANDIDATES => Err(NoReflection::TooMany { found }),
            _ => Ok(reflection),
        }
    }
}

/// The content of the code fence around a text. Returns the text itself if there is none.
fn without_fence(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    let lines = inside.and_then(|inside| inside.split_once('\n'));
    lines.map_or(text, |(_language, json)| json.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Reflection::read(text).unwrap_err().to_string()
    }

    #[test]
    fn the_error_for_an_invalid_reflection_says_how_to_fix_it() {
        assert_eq!(error(" \n"), "the reflection is empty; write JSON with a list `candidates`");
        assert_eq!(error("{\"candidates\":\n [}"), "line 2, column 3 is not JSON: expected value");
        let no_list = "the JSON has no list `candidates`: write {\"candidates\": [{..}, ..]}";
        for text in ["{}", "[1]", "{\"candidates\": {}}", "[]x"] {
            let said = error(text);
            assert!(said == no_list || said.contains("not JSON"), "{text}: {said}");
        }
        assert_eq!(
            error("I learned a lot."),
            "the reflection is neither JSON nor Markdown that has one `## summary` per candidate, \
             with its fields, such as `- category: pitfall`, below"
        );
        let many = format!("[{}]", vec!["{}"; 51].join(","));
        assert_eq!(error(&many), "51 candidates are too many: keep the 50 that matter most");
    }

    #[test]
    fn a_fence_around_json_is_taken_off() {
        let fenced = "```json\n{\"candidates\": [{\"summary\": \"s\"}]}\n```\n";
        let reflection = Reflection::read(fenced).unwrap();
        assert_eq!(reflection.offers[0].candidate.summary, "s");
    }

    #[test]
    fn the_examples_say_the_same() {
        let json = Reflection::read(EXAMPLE).unwrap();
        let markdown = Reflection::read(EXAMPLE_MARKDOWN).unwrap();
        assert_eq!(json.offers, markdown.offers);
        assert_eq!((json.used, json.notes), (markdown.used, markdown.notes));
    }
}
