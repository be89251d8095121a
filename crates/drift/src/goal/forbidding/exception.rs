//! "All but this": what is said of the rest, and what of the exception.
//!
//! "Rename it everywhere except in legacy/" forbids legacy/, and "touch nothing except src/a.rs" everything else.

use super::super::clauses::Sentence;
use super::super::constraint::{Allowed, Constraint, topic_of};
use super::super::phrases::{find, has};
use super::object::DEPENDENCIES;
use super::{Limits, addressee, adds_tests, english, japanese, staying};
use crate::paths::{PathPattern, named_in};

/// What comes behind is excepted.
const EXCEPT: &[&str] = &[
    "except for",
    "except in",
    "except",
    "excepting",
    "excluding",
    "with the exception of",
    "other than",
    "apart from",
    "aside from",
    "besides",
    "save for",
    "outside of",
    "outside",
    "beyond",
    "but not in",
    "but not",
    "but in",
    "but for",
    "but",
];
const ALL: &[&str] = &[
    "everything",
    "everywhere",
    "anything",
    "anywhere",
    "all",
    "every",
    "each",
    "any",
    "whatever",
    "wherever",
    "whole",
    "entire",
    "across",
    "throughout",
];
const MUST_NOT: &[&str] = &["must not", "may not", "should not", "shouldn't", "mustn't"];
const NOTHING: &[&str] = &["nothing", "nowhere", "none", "no", "stay", "neither"];

/// What a clause with an exception forbids and allows, in either language.
pub(super) fn limits(clause: &Sentence, root: Option<&str>) -> Option<Limits> {
    in_english(clause, root).or_else(|| in_japanese(clause, root))
}

fn in_english(clause: &Sentence, root: Option<&str>) -> Option<Limits> {
    let lower = clause.lower.as_str();
    let (at, len) = find(lower, EXCEPT)?;
    let (rest, excepted) = (&lower[..at], &lower[at + len..]);
    let things = things(clause.text.get(at + len..).unwrap_or(excepted), root);
    if things.is_empty() {
        let rest = Sentence::new(clause.text.get(..at).unwrap_or(rest));
        return of_a_part(&english::forbidden(&rest, root), excepted);
    }
    let is_of_all = has(rest, ALL);
    let is_denied = has(rest, NOTHING)
        || english::negation(rest).is_some_and(|not| addressee::is_the_agent(&rest[..not]))
        || (is_of_all && (staying::is_left_as_it_is(lower) || has(excepted, MUST_NOT)));
    if !is_denied {
        return is_of_all.then(|| Limits { forbidden: forbidding(things), ..Limits::default() });
    }
    if has(rest, &["new files", "new file", "new modules"]) {
        let outside = things.into_iter().find_map(|one| match one {
            Allowed::Path(path) => Some(path),
            Allowed::Topic(_) => None,
        });
        return Some(Limits {
            forbidden: vec![Constraint::NoNewFiles { outside }],
            ..Limits::default()
        });
    }
    let of_rest = Sentence::new(clause.text.get(..at).unwrap_or(rest));
    let named = english::forbidden(&of_rest, root);
    if !named.is_empty() && !is_of_all && !has(rest, NOTHING) {
        // "Do not touch src/ except src/a.rs": all else may change as well.
        return Some(Limits { forbidden: named, allowed: forbidding(things) });
    }
    Some(Limits { forbidden: vec![only(things, lower)], ..Limits::default() })
}

/// What is left of something forbidden when a part of it is allowed. Which changes of a file are "the imports" is not known,
/// so that none of them is held against the agent.
fn of_a_part(forbidden: &[Constraint], excepted: &str) -> Option<Limits> {
    let mut words = excepted.split_whitespace().map(|word| word.trim_matches(['`', ',', ')', '.']));
    if forbidden.is_empty() || words.clone().any(|word| matches!(word, "i" | "me" | "my")) {
        return None;
    }
    let names: Vec<&str> = words.clone().filter(|word| !matches!(*word, "and" | "or")).collect();
    let is_named = names.len() <= 2 || words.any(|word| matches!(word, "and" | "or"));
    let is_described = names.iter().any(|name| matches!(*name, "the" | "a" | "for" | "those"))
        || has(excepted, DEPENDENCIES);
    if *forbidden == [Constraint::NoNewDependencies] && is_named && !is_described {
        let allowed = names.into_iter().map(|name| Constraint::NotUse(name.to_owned())).collect();
        return Some(Limits { forbidden: forbidden.to_vec(), allowed });
    }
    Some(Limits::default())
}

/// What is excepted: it comes first, with nothing but small words before it.
fn things(excepted: &str, root: Option<&str>) -> Vec<Allowed> {
    let paths = named_in(excepted, root);
    if !paths.is_empty() {
        return paths.iter().map(|path| Allowed::Path(PathPattern::new(path))).collect();
    }
    let lower = excepted.to_lowercase();
    lower.split_whitespace().take(4).find_map(topic_of).map(Allowed::Topic).into_iter().collect()
}

fn forbidding(things: Vec<Allowed>) -> Vec<Constraint> {
    let forbidden = |one| match one {
        Allowed::Path(path) => Constraint::NotPath(path),
        Allowed::Topic(topic) => Constraint::NotTopic(topic),
    };
    things.into_iter().map(forbidden).collect()
}

fn only(mut things: Vec<Allowed>, lower: &str) -> Constraint {
    let tests = Allowed::Topic(super::Topic::Tests);
    if adds_tests(lower) && !things.contains(&tests) {
        things.push(tests);
    }
    Constraint::Only(things)
}

/// What comes before is excepted.
const EXCEPTED: &[&str] = &["以外", "を除いて", "を除き", "を除く", "を除いた", "より外", "の外"];

fn in_japanese(clause: &Sentence, root: Option<&str>) -> Option<Limits> {
    let lower = clause.lower.as_str();
    let (at, len) = find(lower, EXCEPTED)?;
    let (excepted, rest) = (&lower[..at], &lower[at + len..]);
    let mut things = things(clause.text.get(..at).unwrap_or(excepted), root);
    if things.is_empty() {
        things.extend(japanese::named_topics(excepted).into_iter().map(Allowed::Topic));
    }
    if things.is_empty() {
        things.extend(japanese::named(excepted).map(Allowed::Topic));
    }
    if rest.starts_with('も') || rest.starts_with("にも") {
        // "src/a.rs 以外も変更していい": all may change.
        return Some(Limits::default());
    }
    let is_denied = japanese::is_left_alone(rest);
    let is_of_work = is_denied || has(rest, CHANGES);
    if things.is_empty() || !is_of_work {
        return None;
    }
    let forbidden = if is_denied { vec![only(things, rest)] } else { forbidding(things) };
    Some(Limits { forbidden, ..Limits::default() })
}

/// Words for changes of any kind.
const CHANGES: &[&str] = &[
    "変更",
    "編集",
    "修正",
    "触",
    "いじ",
    "対象",
    "変え",
    "書き換え",
    "直し",
    "更新",
    "整形",
    "改名",
    "リネーム",
    "置換",
    "置き換え",
    "リファクタ",
    "整理",
    "削除",
    "全部",
    "すべて",
    "全て",
];

/// Whether a "but" between these words divides nothing: "all files but the tests".
pub(in crate::goal) fn is_exception(before: &str, after: &str) -> bool {
    const SMALL: &str =
        "in for the those files our my any of under inside from file folder code directory";
    let is_all = |word: &str| ALL.contains(&word) || NOTHING.contains(&word);
    let is_of_all = before.to_lowercase().split_whitespace().rev().take(3).any(is_all);
    let after = after.to_lowercase();
    let thing = after
        .split_whitespace()
        .take(4)
        .find(|word| !SMALL.split_whitespace().any(|small| small == *word));
    let is_thing = |word: &str| {
        topic_of(word).is_some() || !named_in(word, None).is_empty() || word.ends_with('/')
    };
    let says_more = |word: &str| {
        let behind = after.split_once(word).map_or("", |(_, behind)| behind);
        let next = behind.split_whitespace().next().unwrap_or_default();
        topic_of(word).is_some()
            && matches!(next, "must" | "should" | "need" | "have" | "fail" | "are")
    };
    is_of_all && thing.is_some_and(|word| is_thing(word) && !says_more(word))
}

/// Whether a part of a sentence that begins so belongs to the part before it.
pub(in crate::goal) fn belongs_to_what_came_before(part: &str) -> bool {
    let lower = part.get(..24).unwrap_or(part).to_lowercase();
    EXCEPT
        .iter()
        .filter(|except| !except.starts_with("but"))
        .any(|except| lower.starts_with(except))
        || ["unless", "if possible", "if you must", "if you can", "if necessary"]
            .iter()
            .any(|given| lower.starts_with(given))
}
