//! Reading what a person forbids, and what is allowed again.

mod english;
mod japanese;
mod object;

use super::clauses::Sentence;
use super::constraint::{Allowed, Constraint, Topic, topic_of};
use super::phrases;
use crate::paths::{PathPattern, named_in};

/// What an instruction says of what must not be.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) forbidden: Vec<Constraint>,
    pub(super) allowed: Vec<Constraint>,
}

/// What all sentences together forbid and allow.
pub(super) fn limits(sentences: &[Sentence], root: Option<&str>) -> Limits {
    let mut limits = Limits::default();
    for sentence in sentences {
        of_sentence(sentence, root, &mut limits);
    }
    // A place that may change beside another is one allowance: neither forbids the other.
    let mut places: Vec<Allowed> = Vec::new();
    limits.forbidden.retain_mut(|one| match one {
        Constraint::Only(allowed) => {
            places.append(allowed);
            false
        }
        _ => true,
    });
    if !places.is_empty() {
        // "Docs only, no code changes": something may change.
        limits.forbidden.retain(|one| *one != Constraint::NoEdits);
        limits.forbidden.push(Constraint::Only(places));
    }
    limits
}

/// Whether a clause says what not to do.
pub(super) fn forbids(clause: &Sentence, root: Option<&str>) -> bool {
    !of_clause(clause, root).is_empty()
}

fn of_sentence(sentence: &Sentence, root: Option<&str>, limits: &mut Limits) {
    let mut was_forbidding = false;
    let mut was_only = false;
    let mut named_so_far: Vec<String> = Vec::new();
    for clause in sentence.clauses() {
        let allowed = english::allowed(&clause, root);
        if !allowed.is_empty() {
            limits.allowed.extend(allowed);
            (was_forbidding, was_only) = (false, false);
            continue;
        }
        if phrases::has(&clause.lower, &["nowhere else"]) {
            named_so_far.extend(named_in(&clause.text, root));
        }
        if phrases::has(&clause.lower, NOTHING_ELSE)
            && !named_so_far.is_empty()
            && !phrases::has(&clause.lower, &["in there"])
        {
            limits.forbidden.push(only(&named_so_far, &sentence.lower));
            continue;
        }
        let found = of_clause(&clause, root);
        if found.is_empty() {
            named_so_far.extend(named_in(&clause.text, root));
        }
        if found.is_empty() {
            let named = named_in(&clause.text, root);
            let is_a_list = is_only_names(&clause.lower) && !named.is_empty();
            if was_forbidding && is_a_list {
                limits
                    .forbidden
                    .extend(named.iter().map(|path| Constraint::NotPath(PathPattern::new(path))));
            }
            if was_only && (is_a_list || is_addition(&clause.lower)) {
                let more = named.iter().map(|path| Allowed::Path(PathPattern::new(path)));
                let topics =
                    clause.lower.split_whitespace().filter_map(topic_of).map(Allowed::Topic);
                limits.forbidden.push(Constraint::Only(more.chain(topics).collect()));
            }
            was_forbidding = english::forbids_a_change(&clause) || (was_forbidding && is_a_list);
            continue;
        }
        was_only = found.iter().any(|one| matches!(one, Constraint::Only(_)));
        was_forbidding = !was_only;
        for one in found {
            if !limits.forbidden.contains(&one) {
                limits.forbidden.push(one);
            }
        }
    }
}

fn of_clause(clause: &Sentence, root: Option<&str>) -> Vec<Constraint> {
    let mut found = english::forbidden(clause, root);
    found.extend(japanese::forbidden(clause, root));
    found.retain(|one| *one != Constraint::Only(Vec::new()));
    found
}

const NOTHING_ELSE: &[&str] = &[
    "nothing else",
    "nowhere else",
    "no other files",
    "no other file",
    "それ以外は",
    "ほかは",
    "他は触",
    "他のファイルは",
    "他は変更",
];

fn is_only_names(lower: &str) -> bool {
    // Japanese has no spaces; a few letters of it are particles.
    let others = lower.chars().filter(|c| !c.is_ascii()).count();
    let is_name = |word: &str| {
        word.contains(['.', '/'])
            || !word.is_ascii()
            || matches!(word, "and" | "or" | "nor" | "also" | "the" | "either" | "neither")
    };
    others <= 3 && lower.contains(['.', '/']) && lower.split_whitespace().all(is_name)
}

fn is_addition(lower: &str) -> bool {
    phrases::has(lower, &["plus", "and", "or", "also", "as well as", "とテスト", "と"])
}

/// Whether it names tests as something that may change as well.
fn adds_tests(lower: &str) -> bool {
    phrases::has(lower, &["tests", "its tests", "test files", "テスト"])
}

fn only(paths: &[String], lower: &str) -> Constraint {
    let mut allowed: Vec<Allowed> =
        paths.iter().map(|path| Allowed::Path(PathPattern::new(path))).collect();
    if !allowed.is_empty() && adds_tests(lower) {
        allowed.push(Allowed::Topic(Topic::Tests));
    }
    Constraint::Only(allowed)
}
