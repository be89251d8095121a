//! Places that are spared without a "not": "skip src/b.rs", "neither a.rs nor b.rs", "instead of changing src/b.rs".

use super::super::clauses::Sentence;
use super::super::constraint::{Constraint, topic_of};
use super::super::phrases::{find, has};
use super::english::{CHANGING, DONE_TO};
use super::{Limits, is_only_names};
use crate::paths::named_in;

/// What a clause spares.
pub(super) fn spared(clause: &Sentence, root: Option<&str>) -> Vec<Constraint> {
    let lower = clause.lower.as_str();
    let found = passed_over(lower).or_else(|| neither(lower)).or_else(|| in_place_of(lower));
    let Some(names) = found else { return Vec::new() };
    let at = lower.find(names).unwrap_or_default();
    let written = clause.text.get(at..at + names.len()).unwrap_or(names);
    let mut limits = Limits::default();
    limits.add(&named_in(written, root));
    limits
        .forbidden
        .extend(names.split_whitespace().filter_map(topic_of).map(Constraint::NotTopic));
    limits.forbidden
}

/// "Skip src/b.rs and vendor/ for now": nothing but places.
fn passed_over(lower: &str) -> Option<&str> {
    const LEADS: &str = "please and but also then just so";
    let (at, len) = find(lower, &["skip", "ignore", "skipping", "ignoring"])?;
    let is_lead = |word: &str| LEADS.split_whitespace().any(|lead| lead == word);
    let names = lower[at + len..].trim();
    let end = find(names, &["for now", "please", "entirely", "completely", "this time", "as well"]);
    let names = names[..end.map_or(names.len(), |(at, _)| at)].trim();
    let has_place = !named_in(names, None).is_empty();
    (lower[..at].split_whitespace().all(is_lead) && has_place && is_only_names(names))
        .then_some(names)
}

/// "Neither src/a.rs nor src/b.rs may be changed", "change neither of them".
fn neither(lower: &str) -> Option<&str> {
    let (at, len) = find(lower, &["neither"])?;
    let names = lower[at + len..].trim();
    let (nor, of_nor) = find(names, &["nor"])?;
    let is_before =
        lower[..at].split_whitespace().next_back().is_some_and(|verb| CHANGING.contains(&verb));
    let (second, end) =
        (nor + of_nor, &["may", "must", "should", "is to", "are to", "can", "shall"]);
    let said = find(&names[second..], end).map(|(at, _)| names.split_at(second + at));
    let (names, said) = said.unwrap_or((names, ""));
    let is_done_to =
        has(said, &["be", "change"]) && (has(said, DONE_TO) || said.ends_with("change"));
    (is_before || is_done_to).then_some(names).filter(|names| is_only_names(names.trim()))
}

/// "Fix src/a.rs instead of touching src/b.rs".
fn in_place_of(lower: &str) -> Option<&str> {
    let (at, len) = find(lower, &["instead of", "rather than"])?;
    let (verb, names) = lower[at + len..].trim_start().split_once(' ')?;
    let is_any_change =
        matches!(verb, "changing" | "touching" | "editing" | "modifying" | "altering");
    let names = names.trim();
    (is_any_change && is_only_names(names)).then_some(names)
}
