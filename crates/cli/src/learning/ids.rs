//! The ids of learnings, as people and agents type them.

use verger_memory::LearningId;

use crate::invocation::command_error::CommandError;
use crate::render::short_ids::{ambiguous, is_meant};

/// Resolves ids without duplicates. Each may be typed completely, by its beginning or by its last 8
/// characters. A complete id is accepted even if no learning has it.
pub(crate) fn learning_ids<'a>(
    texts: &[String],
    known: impl Iterator<Item = &'a LearningId>,
) -> Result<Vec<LearningId>, CommandError> {
    let known: Vec<_> = known.collect();
    let mut ids = vec![];
    for text in texts {
        let id = learning_id(text, &known)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn learning_id(text: &str, known: &[&LearningId]) -> Result<LearningId, CommandError> {
    let parsed = text.parse::<LearningId>();
    if let Ok(id) = &parsed
        && known.contains(&id)
    {
        return Ok(id.clone());
    }
    let is_meant = |id: &&&LearningId| {
        let id = id.as_str();
        is_meant(id, text) || id.strip_prefix("learn-").is_some_and(|rest| is_meant(rest, text))
    };
    let mut matching: Vec<_> = known.iter().filter(is_meant).collect();
    matching.sort_unstable();
    matching.dedup();
    match matching[..] {
        [id] => Ok((*id).clone()),
        [] => parsed.map_err(|bad| CommandError::Usage {
            message: bad.to_string(),
            hint: "verger learn list shows the learnings that are kept".to_owned(),
        }),
        _ => Err(ambiguous(text, matching)),
    }
}

/// The error message for an id without a learning.
pub(crate) fn not_kept(id: &LearningId) -> String {
    format!("no learning {id} is kept here; verger learn list shows the learnings in use")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_an_id_names_a_learning_if_only_one_has_it() {
        let id = |text: &str| text.parse::<LearningId>().unwrap();
        let known = [
            "learn-01M7G83FEM0000000000000007",
            "learn-01M7G83FEM0000000000000008",
            "learn-a",
            "learn-ab",
        ];
        let known = known.map(id);
        let found = |text: &str| {
            learning_ids(&[text.to_owned()], known.iter()).map(|ids| ids[0].to_string()).ok()
        };
        for (text, expected) in [
            ("learn-01M7G83FEM0000000000000007", Some("learn-01M7G83FEM0000000000000007")),
            ("00000008", Some("learn-01M7G83FEM0000000000000008")),
            ("01M7G83FEM0000000000000007", Some("learn-01M7G83FEM0000000000000007")),
            ("learn-a", Some("learn-a")),
            ("learn-01M7G8", None),
            ("learn-gone", Some("learn-gone")),
            ("", None),
            ("what?", None),
        ] {
            assert_eq!(found(text).as_deref(), expected, "{text:?}");
        }
    }
}
