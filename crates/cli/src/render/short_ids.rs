//! Short ids in listings. They have as many characters as needed to distinguish the ids of the
//! listing, at least 8. Commands accept them in place of the whole id.

use std::collections::BTreeSet;

use verger_event::EventId;

use crate::invocation::command_error::CommandError;

const MIN_CHARS: usize = 8;

/// The maximum number of ids that a message names.
const MAX_NAMED: usize = 5;

/// The end of an id that is shown. Session ids are distinguished by their beginning. All other ids
/// begin with their creation time, so ids of the same day share their beginning and their end is
/// shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Ids up to this length that begin with a time are shown whole. They were written by hand.
const MAX_WHOLE: usize = 16;

/// The number of characters needed to distinguish the ids of one listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortIds {
    end: End,
    chars: usize,
}

impl ShortIds {
    /// Shortens ids of sessions to their beginning.
    pub(crate) fn of_sessions<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        Self::fitting(End::First, &ids.into_iter().collect())
    }

    /// Shortens ids of undo points, tasks, learnings and events to their end.
    pub(crate) fn of_records<T: ToString>(ids: impl IntoIterator<Item = T>) -> Self {
        let ids: Vec<_> = ids.into_iter().map(|id| id.to_string()).collect();
        Self::fitting(End::Last, &ids.iter().map(String::as_str).collect())
    }

    fn fitting(end: End, ids: &BTreeSet<&str>) -> Self {
        let are_apart = |chars: &usize| {
            let short: BTreeSet<_> = ids.iter().map(|id| cut(id, end, *chars)).collect();
            short.len() == ids.len()
        };
        let longest = ids.iter().map(|id| id.chars().count()).max().unwrap_or_default();
        let chars = (MIN_CHARS..longest).find(are_apart).unwrap_or(longest.max(MIN_CHARS));
        Self { end, chars }
    }

    pub(crate) fn of(self, id: &str) -> String {
        cut(id, self.end, self.chars).to_owned()
    }
}

/// The short form of an id that is shown alone.
pub(crate) fn short_session(id: &str) -> &str {
    cut(id, End::First, MIN_CHARS)
}

fn cut(id: &str, end: End, chars: usize) -> &str {
    match end {
        End::First => id.char_indices().nth(chars).map_or(id, |(at, _)| &id[..at]),
        End::Last if id.chars().count() <= MAX_WHOLE => id,
        End::Last => match id.char_indices().rev().nth(chars.saturating_sub(1)) {
            Some((at, _)) => &id[at..],
            None => id,
        },
    }
}

/// Whether `typed` matches this id: its beginning, or at least 8 characters of its end.
pub(crate) fn is_meant(id: &str, typed: &str) -> bool {
    let is_end =
        typed.len() >= MIN_CHARS && id.to_ascii_uppercase().ends_with(&typed.to_ascii_uppercase());
    let begins = id.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
    !typed.is_empty() && (begins || is_end)
}

pub(crate) fn is_meant_event(id: EventId, typed: &str) -> bool {
    is_meant(&id.to_string(), typed)
}

/// The error for a part of an id that matches several ids.
pub(crate) fn ambiguous<T: ToString>(
    typed: &str,
    ids: impl IntoIterator<Item = T>,
) -> CommandError {
    let ids: Vec<_> = ids.into_iter().map(|id| id.to_string()).collect();
    let more = match ids.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    CommandError::Usage {
        message: format!("ambiguous id {typed:?}: {} match", ids.len()),
        hint: format!("matching ids: {}{more}", ids[..ids.len().min(MAX_NAMED)].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_as_short_as_the_listing_allows() {
        let sessions = ["f0357e9b-fb48", "f0357e9b-0000", "1111"];
        let short = ShortIds::of_sessions(sessions);
        assert_eq!(sessions.map(|id| short.of(id)), ["f0357e9b-f", "f0357e9b-0", "1111"]);
        assert_eq!(ShortIds::of_sessions(["f0357e9b-fb48"]).of("f0357e9b-fb48"), "f0357e9b");
        let points = ["01M7G83FEM0000000000000007", "01M7G83FEM0000000000000008"];
        let short = ShortIds::of_records(points);
        assert_eq!(points.map(|id| short.of(id)), ["00000007", "00000008"]);
        assert_eq!(ShortIds::of_records(["learn-by-hand"]).of("learn-by-hand"), "learn-by-hand");
        assert_eq!(ShortIds::of_sessions([]).of("日本語日本語日本語"), "日本語日本語日本");
    }

    #[test]
    fn an_id_is_meant_by_its_beginning_or_its_last_characters() {
        let id = "01M7G83FEM0000000000000007";
        for (typed, expected) in [
            ("0", true),
            ("01m7g83", true),
            (id, true),
            ("00000007", true),
            ("0000007", false),
            ("", false),
            ("01M7G84", false),
            ("01M7G83FEM00000000000000071", false),
        ] {
            assert_eq!(is_meant(id, typed), expected, "{typed:?}");
        }
        assert!(!is_meant("日本語", "a"));
    }

    #[test]
    fn an_ambiguous_id_lists_what_it_matches() {
        let CommandError::Usage { message, hint } = ambiguous("0", 1..=7) else { panic!() };
        assert_eq!(message, "ambiguous id \"0\": 7 match");
        assert_eq!(hint, "matching ids: 1, 2, 3, 4, 5, and 2 more");
    }
}
