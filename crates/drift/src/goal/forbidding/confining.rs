//! Where alone something may change, and what may change after all, in English.

use super::super::clauses::Sentence;
use super::super::constraint::{Allowed, Constraint, Topic, topic_of};
use super::super::phrases::{find, has};
use super::english::{CHANGING, NOT};
use super::object::{Object, forbidden_of};
use super::only;
use crate::paths::{PathPattern, named_in};

const BETWEEN: &str = "change changes touch edit modify update work in on under within inside the file files folder directory at to look \
    allowed code of may be you and or my our add write new your these those following `";

const BEFORE: &str = "please change edit touch modify update fix make do work the this that it changes you should may can and so must in";

/// The places that alone may change.
pub(super) fn only_these(clause: &Sentence, paths: &[String]) -> Option<Constraint> {
    let lower = clause.lower.as_str();
    if let Some((at, len)) = find(
        lower,
        &[
            "stay within",
            "stay inside",
            "stay in",
            "limit yourself to",
            "limit changes to",
            "limit the changes to",
            "limit it to",
            "restrict yourself to",
            "restrict changes to",
            "confine yourself to",
            "keep changes to",
            "keep the changes in",
            "keep the change in",
            "keep it in",
            "keep it to",
            "limited to",
            "keep your changes in",
            "keep your changes inside",
            "keep your changes within",
            "keep your changes to",
            "keep the changes inside",
            "keep the changes within",
            "keep the changes to",
            "keep changes in",
            "keep changes inside",
            "keep changes within",
            "stick to",
        ],
    ) && !paths.is_empty()
        && paths.iter().any(|path| lower[at + len..].contains(&path.to_lowercase()))
    {
        return Some(only(paths, lower));
    }
    let (at, len) = find(lower, &["only", "nothing but", "solely", "exclusively"])?;
    let (before, after) = (lower[..at].trim(), lower[at + len..].trim());
    if speaks_of_libraries(before) {
        return None;
    }
    if let Some(path) = paths.iter().find(|path| {
        before.ends_with(&path.to_lowercase())
            || before.ends_with(&format!("{}`", path.to_lowercase()))
    }) && after.is_empty()
        && !has(before, NOT)
    {
        return Some(only(std::slice::from_ref(path), lower));
    }
    let first = paths.iter().filter_map(|path| after.find(&path.to_lowercase())).min();
    let speaks_of_change =
        before.split_whitespace().all(|word| BEFORE.split_whitespace().any(|known| known == word));
    if let Some(first) = first
        && speaks_of_change
        && after[..first].split_whitespace().all(|word| {
            BETWEEN.split_whitespace().any(|between| between == word.trim_matches('`'))
                || word.trim_matches('`').is_empty()
        })
    {
        return Some(only(paths, lower));
    }
    // "New migration only" says how, and not that nothing else may change.
    if has(before, &["new"]) {
        return None;
    }
    let short = after.is_empty() && before.split_whitespace().count() <= 2;
    let topic = if short {
        before.split_whitespace().last().and_then(topic_of)
    } else {
        let words: Vec<&str> = after.split_whitespace().collect();
        let is_named =
            words.first().is_some_and(|first| *first == "the" || topic_of(first).is_some());
        let changes = words.iter().take(3).any(|word| CHANGING.contains(word))
            || (before.is_empty() && is_named);
        let word = words.iter().take(4).find_map(|word| topic_of(word));
        word.filter(|_| changes && words.len() <= 5)
    };
    topic.map(|topic| Constraint::Only(vec![Allowed::Topic(topic)]))
}

/// Whether it is about what the code may use, not where it may change: `net/http` is no place of the project.
fn speaks_of_libraries(before: &str) -> bool {
    let is_library = |word: &str| {
        matches!(
            word,
            "stdlib"
                | "library"
                | "libraries"
                | "package"
                | "packages"
                | "module"
                | "modules"
                | "import"
                | "imports"
        )
    };
    before.split(|c: char| !c.is_alphanumeric()).any(is_library)
}

/// What a clause allows.
pub(super) fn allowed(clause: &Sentence, root: Option<&str>) -> Vec<Constraint> {
    let lower = clause.lower.as_str();
    let may = has(
        lower,
        &[
            "you may",
            "you can",
            "feel free to",
            "it's ok to",
            "it is ok to",
            "it's fine to",
            "it is fine to",
            "ok to",
            "is fine",
            "are fine",
            "may change",
            "can change",
            "allowed to",
            "go ahead and",
            "is ok",
            "are ok",
            "is okay",
            "してもいい",
            "してよい",
            "していい",
            "して良い",
            "して構わ",
            "しても構わ",
            "しても大丈夫",
            "ても構いません",
            "てもよい",
            "て大丈夫",
        ],
    );
    let is_denied = has(lower, NOT) || has(lower, &["can't", "cannot", "nobody", "no one"]);
    if !may || is_denied || has(lower, &["only", "nothing", "outside", "except"]) {
        return Vec::new();
    }
    let paths = named_in(&clause.text, root);
    let mut allowed: Vec<Constraint> =
        paths.iter().map(|path| Constraint::NotPath(PathPattern::new(path))).collect();
    if paths.is_empty() {
        allowed = forbidden_of(&Object { text: &clause.text, lower, paths: &[], is_change: true });
        allowed.retain(|one| {
            !matches!(one, Constraint::NoEdits | Constraint::NotTopic(Topic::Named(_)))
        });
        if has(
            lower,
            &[
                "dependency",
                "dependencies",
                "package",
                "library",
                "crate",
                "driver",
                "client",
                "依存",
                "ライブラリ",
            ],
        ) {
            allowed.push(Constraint::NoNewDependencies);
        }
        if has(lower, &["commit", "push", "コミット", "プッシュ"]) {
            allowed.extend([Constraint::NoCommits, Constraint::NoPushes]);
        }
    }
    allowed
}
