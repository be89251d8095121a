//! What is to stay as it is, in English: "leave src/b.rs alone", "src/b.rs is frozen".

use super::super::clauses::Sentence;
use super::super::constraint::Constraint;
use super::super::phrases::{begins, find, has};
use super::english::{NOTHING, named_within, no_edits_of};
use super::object::{Object, forbidden_of, is_seen_by_others};
use crate::paths::named_in;

pub(super) const AS_IT_IS: &[&str] = &[
    "alone",
    "as is",
    "as it is",
    "as they are",
    "as-is",
    "untouched",
    "unchanged",
    "intact",
    "out of it",
    "out of this",
    "exactly as",
];
pub(super) const LEAVING: &[&str] = &[
    "leave",
    "keep",
    "leaving",
    "keeping",
    "hands off",
    "stay out of",
    "keep out of",
    "stay away from",
    "keep away from",
    "steer clear of",
];
const STATED: &[&str] = &[
    "stays as it is",
    "stay as they are",
    "stays as is",
    "stays untouched",
    "stay untouched",
    "stays unchanged",
    "stay unchanged",
    "is off limits",
    "are off limits",
    "is off-limits",
    "are off-limits",
    "off limits",
    "off-limits",
    "is read-only",
    "are read-only",
    "is taboo",
    "remains as it is",
    "stays the way",
    "is not to be touched",
    "are not to be touched",
    "is not ours to",
    "are not ours to",
];

/// What comes behind says how something is to be from now on, which is for the most part no "unchanged".
const REMAINS: &[&str] = &[
    "must stay",
    "should stay",
    "can stay",
    "may stay",
    "needs to stay",
    "need to stay",
    "have to stay",
    "has to stay",
    "must remain",
    "should remain",
];
/// Behind these nothing is to be changed; green, fast or compatible something stays by work on it.
const UNCHANGED: &[&str] = &[
    "as it is",
    "as they are",
    "as is",
    "as-is",
    "as it was",
    "as they were",
    "exactly",
    "the way",
    "the same",
    "identical",
    "untouched",
    "unchanged",
    "unmodified",
    "unedited",
    "intact",
    "alone",
    "frozen",
    "like",
    "where",
    "for now",
    "until",
    "so",
    "because",
    "since",
    "please",
];

/// Whether it is all code that stays as it is: "the code stays untouched".
fn says_code(object: &str) -> bool {
    let object = object.trim();
    let object = ["and ", "but ", "please "]
        .iter()
        .fold(object, |rest, small| rest.strip_prefix(small).unwrap_or(rest));
    object.contains("code") && NOTHING.contains(&object)
}

/// Where it says that something stays as it is, whatever comes before that.
fn stated(lower: &str) -> Option<usize> {
    let frozen = || frozen(lower);
    let remains = find(lower, REMAINS).filter(|(at, len)| {
        let how = lower[at + len..].trim_start();
        how.is_empty() || begins(how, UNCHANGED)
    });
    let said = find(lower, STATED).or(remains).filter(|(at, _)| !is_seen_by_others(&lower[*at..]));
    said.map(|(at, _)| at).or_else(frozen)
}

/// Where it says that something is frozen by somebody's word, and does not hang: "is published and frozen until 2.0".
fn frozen(lower: &str) -> Option<usize> {
    const HANGS: &[&str] = &["when", "after", "if", "while", "on", "whenever", "during", "once"];
    const AMID: &str = "and still currently now fully completely already both all";
    let (at, len) = find(lower, &["frozen"])?;
    let before = &lower[..at];
    let last = before.split_whitespace().next_back()?;
    let (is, _) = find(before, &["is", "are"])?;
    let is_said = matches!(last, "is" | "are") || AMID.split_whitespace().any(|amid| amid == last);
    let hangs = begins(lower[at + len..].trim_start(), HANGS);
    (is_said && !hangs).then_some(is)
}

/// Whether it says that something stays as it is.
pub(super) fn is_left_as_it_is(lower: &str) -> bool {
    find(lower, LEAVING).is_some_and(|(at, len)| has(&lower[at + len..], AS_IT_IS))
        || stated(lower).is_some()
}

/// What a clause says is to stay as it is; none where it says nothing of the kind.
pub(super) fn left_alone(
    clause: &Sentence,
    paths: &[String],
    root: Option<&str>,
) -> Option<Vec<Constraint>> {
    let lower = clause.lower.as_str();
    // "Keep your hands off X" is no "keep X as it is".
    let lower = find(lower, &["hands off"]).map_or(lower, |(at, _)| &lower[at..]);
    let leaves = find(lower, LEAVING);
    if let Some((at, len)) = leaves {
        let rest = &lower[at + len..];
        let is_away = lower[at..].starts_with("hands")
            || lower[at..].starts_with("stay")
            || lower[at..at + len].ends_with("from")
            || lower[at..at + len].ends_with("of")
            || lower[at..at + len].ends_with("off");
        let end = find(rest, AS_IT_IS).map(|(at, _)| at);
        if let Some(end) = end.or(is_away.then_some(rest.len())) {
            let object = &rest[..end];
            if is_seen_by_others(&rest[end..]) {
                return Some(Vec::new());
            }
            if has(object, &["formatting", "format", "indentation"]) && paths.is_empty() {
                return Some(vec![Constraint::NoReformatting]);
            }
            if says_code(object) {
                return Some(vec![no_edits_of(object)]);
            }
            let named = named_in(&clause.text, root);
            let named = if named.is_empty() { paths.to_vec() } else { named };
            let is_pronoun = matches!(object.trim(), "it" | "them" | "that" | "this" | "those");
            let named = named_within(&named, if is_pronoun { &lower[..at] } else { object });
            return Some(forbidden_of(&Object {
                text: &clause.text,
                lower: object,
                paths: &named,
                is_change: true,
            }));
        }
    }
    let object = &lower[..stated(lower)?];
    if says_code(object) {
        return Some(vec![no_edits_of(object)]);
    }
    Some(forbidden_of(&Object { text: &clause.text, lower: object, paths, is_change: true }))
}
