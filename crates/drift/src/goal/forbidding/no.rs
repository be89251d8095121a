//! A "no" before what is not wanted: "no new dependencies", "with no changes to src/b.rs".

use super::super::clauses::Sentence;
use super::super::constraint::Constraint;
use super::super::phrases::{begins, find, has, quoted};
use super::super::signs::DEEDS;
use super::english::{first_words, named_within};
use super::object::{Object, forbidden_of};

/// What a clause with a "no" forbids.
pub(super) fn forbidden(clause: &Sentence, paths: &[String]) -> Vec<Constraint> {
    let lower = clause.lower.as_str();
    let Some((at, len)) = find(lower, &["no", "zero"]) else { return Vec::new() };
    if !may_limit(&lower[..at], &lower[at + len..])
        || tells_what_is(&lower[..at], &lower[at + len..])
    {
        return Vec::new();
    }
    // "Fix src/a.rs with no changes to src/b.rs" wants the first changed.
    let behind = named_within(paths, &lower[at..]);
    let is_of_deed = !behind.is_empty() || begins(lower.trim_start(), DEEDS);
    after_no(clause, &lower[at + len..], if is_of_deed { &behind } else { paths })
}

/// Whether it ends with a "no" that is said of changes: "so no changes in".
pub(super) fn forbids_changes(lower: &str) -> bool {
    let Some((at, len)) = find(lower, &["no", "zero"]) else { return false };
    let rest = &lower[at + len..];
    may_limit(&lower[..at], rest)
        && has(first_words(rest, 3), &["change", "changes", "edits", "modifications", "touching"])
}

fn after_no(clause: &Sentence, rest: &str, paths: &[String]) -> Vec<Constraint> {
    let near = first_words(rest, 5);
    let is_change = has(
        near,
        &["change", "changes", "edits", "modifications", "touching", "refactoring", "rewrites"],
    );
    let is_making = has(
        near,
        &[
            "new",
            "extra",
            "additional",
            "more",
            "commits",
            "commit",
            "pushes",
            "push",
            "bumps",
            "bump",
            "dependencies",
            "dependency",
            "deps",
            "tags",
            "external",
            "third-party",
            "third",
            "packages",
            "libraries",
        ],
    );
    if has(
        near,
        &[
            "behaviour",
            "behavior",
            "functional",
            "breaking",
            "need",
            "idea",
            "longer",
            "problem",
            "matter",
            "worries",
            "rush",
        ],
    ) {
        return Vec::new();
    }
    if has(near, &["reformatting", "formatting", "formatter", "reformat", "formatting changes"]) {
        return vec![Constraint::NoReformatting];
    }
    if is_change || is_making {
        return forbidden_of(&Object { text: &clause.text, lower: rest, paths, is_change });
    }
    let first = first_words(rest.trim(), 1);
    if first.len() > "()".len() && first.ends_with("()") {
        return vec![Constraint::NotUse(first.trim_end_matches("()").to_owned())];
    }
    if first.starts_with('`') {
        quoted(&clause.text).map(|word| Constraint::NotUse(word.to_owned())).collect()
    } else {
        Vec::new()
    }
}

/// Whether a "no" behind these words may say what is not wanted: "with no new dependencies", and not "repos with no commits".
fn may_limit(before: &str, after: &str) -> bool {
    const LEADS: &str = "please pls and but so also with there must should may be absolutely strictly make ok okay just again then i \
        want we need again plus again: remember note important sure that add";
    let words: Vec<&str> = before
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    let is_lead = |word: &&str| LEADS.split_whitespace().any(|lead| lead == *word);
    if words.contains(&"there") {
        return has(first_words(after, 3), &["change", "changes", "edits", "new", "modifications"]);
    }
    let is_of_something = words
        .last()
        .is_some_and(|last| matches!(*last, "of" | "for" | "in" | "on" | "when" | "if" | "or"));
    words.iter().all(is_lead) || (begins(before.trim_start(), DEEDS) && !is_of_something)
}

/// Whether a "no" between these words tells what there is, and wants nothing: "there are no dependencies", "no commits are shown".
fn tells_what_is(before: &str, after: &str) -> bool {
    const IS: &[&str] = &[
        "is", "are", "was", "were", "has", "have", "had", "there's", "there", "be", "been",
        "shows", "show", "returns", "gets", "finds", "found", "see", "sees", "got", "gives",
        "contains", "says", "makes",
    ];
    let last = before.split_whitespace().next_back();
    let is_told = last.is_some_and(|last| IS.contains(&last))
        && !has(
            before,
            &["there should", "there must", "there may", "make sure", "should be", "must be"],
        );
    let mut words = after.split_whitespace();
    let verb = words.by_ref().take(4).find(|word| {
        matches!(
            *word,
            "is" | "are"
                | "was"
                | "were"
                | "has"
                | "have"
                | "appear"
                | "appears"
                | "happen"
                | "show"
                | "exist"
        )
    });
    let is_allowed =
        has(after, &["allowed", "permitted", "wanted", "needed", "welcome", "acceptable"]);
    is_told || (verb.is_some() && !is_allowed)
}
