//! Parses limits in English sentences.
//!
//! A sentence is split into parts at commas and conjunctions. A limit begins with `don't`, `never`,
//! `no` or `only` at the start of a part. Later parts may name more verbs and objects. The limit
//! ends before the first part that can't be parsed completely.

use super::object::{Verb, limit_on, path};
use super::text::sentences;
use super::{Limit, LimitedAction, SaidLimit};
use crate::phrases::is_listed;

const VERBS: &[(&str, Verb)] = &[
    ("edit|modify", Verb::Edit),
    ("change|touch|update|write", Verb::Change),
    ("delete|remove", Verb::Delete),
    ("commit", Verb::Commit),
    ("push", Verb::Push),
    ("open|create|make", Verb::Open),
    ("add|install", Verb::Add),
    ("stash", Verb::Stash),
    ("run|execute", Verb::Run),
    ("use", Verb::Use),
];

/// Nouns that form a limit after `no`, as in "no commits". Packages need the word `new`, because
/// "no packages" may be a description.
const NOUNS: &[(&str, Limit)] = &[
    ("new dependencies|new packages|new libraries", Limit::NotAction(LimitedAction::AddDependency)),
    ("commits", Limit::NotAction(LimitedAction::Commit { branch: None })),
    ("pushes", Limit::NotAction(LimitedAction::Push { branch: None })),
    ("prs|pull requests", Limit::NotAction(LimitedAction::OpenPullRequest { base: None })),
    ("edits|file changes", Limit::NoChanges),
];

/// Words that may come before the imperative at the start of a sentence.
const LEAD_INS: &str = "\
    please|pls|also|just|ok|okay|so|then|yes|hey|for now|right now|now|btw|still|note :|\
    important :|rule :|rules :|remember :|reminder :|warning :";
/// Words that may come after the object of a limit without changing the limit.
const TRAILING: &str = "\
    yet|for now|right now|now|at all|again|anymore|either|please|pls|thanks|\
    under any circumstances";

/// Words that make a sentence a condition, an exception or a quotation. Such a sentence is skipped.
const DOUBTFUL: &str = "\
    if|when|whenever|unless|until|till|because|once|before|after|while|otherwise|without|except|\
    besides|said|says|say|saying|told|tells|wrote|reads";
/// Words that show that a part of a sentence is a statement or introduces another text. A negation
/// in a later part may then belong to that statement.
const STATING: &str = "\
    :|not|don't|dont|never|doesn't|didn't|won't|can't|that|which|who|where|they|he|she|users|people";

/// The limits in a block of English text.
pub(super) fn limits_in(block: &str, root: Option<&str>) -> Vec<SaidLimit> {
    sentences(block).iter().flat_map(|words| in_sentence(words, root)).collect()
}

fn in_sentence(words: &[String], root: Option<&str>) -> Vec<SaidLimit> {
    let has = |words: &str, list| words.split(' ').any(|word| is_listed(word, list));
    let mut found = vec![];
    let sentence = words.join(" ").to_lowercase();
    // "In tests, don't run docker" is a limit for one case only, so it is skipped.
    let is_case = behind(&sentence, "in|during|on").is_some();
    if is_case || has(&sentence, DOUBTFUL) {
        return found;
    }
    let parts = parts(words);
    for at in 0..parts.len() {
        match limits_at(&parts[at..], root) {
            Some(limits) => found.extend(limits),
            None if has(&parts[at].text.to_lowercase(), STATING) => break,
            None => {}
        }
    }
    found
}

/// The connection of a part of a sentence to the previous part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    Mark,
    And,
    Or,
}

/// A part of a sentence, up to a punctuation mark or a conjunction.
struct Part {
    join: Join,
    text: String,
}

fn parts(words: &[String]) -> Vec<Part> {
    let mut parts = vec![Part { join: Join::Mark, text: String::new() }];
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", String::as_str);
        match (join(word, next), parts.last_mut()) {
            (None, Some(part)) if part.text.is_empty() => part.text.push_str(word),
            (None, Some(part)) => part.text.extend([" ", word]),
            (join, _) => parts.extend(join.map(|join| Part { join, text: String::new() })),
        }
    }
    parts.retain(|part| !part.text.is_empty());
    parts
}

fn join(word: &str, next: &str) -> Option<Join> {
    match word.to_lowercase().as_str() {
        "," | "-" => Some(Join::Mark),
        "or" | "nor" => Some(Join::Or),
        "and" | "&" => Some(Join::And),
        // "But" counts as "and" only before these words. Before other words, it may begin an
        // exception.
        "but" if behind(next, "do|don't|dont|never|no|only|please").is_some() => Some(Join::And),
        _ => None,
    }
}

/// The limits of the first part and its continuations in later parts. `None` if the first part
/// doesn't begin with a negation or `only`.
fn limits_at(parts: &[Part], root: Option<&str>) -> Option<Vec<SaidLimit>> {
    let (first, later) = parts.split_first()?;
    let text = without(&first.text, LEAD_INS, behind);
    let plain = |limits: Vec<Limit>| Some(limits.into_iter().map(SaidLimit::plain).collect());
    if text.eq_ignore_ascii_case("read-only") {
        return plain(vec![Limit::NoChanges]);
    }
    if let Some(noun) = behind(text, "no") {
        let nouns = std::iter::once(noun).chain(later.iter().map(|part| part.text.as_str()));
        return plain(nouns.map_while(no_noun).collect());
    }
    if let Some(action) = behind(text, "never|do not ever|don't ever") {
        let limits = forbidden(action, later, root).into_iter();
        return Some(limits.map(SaidLimit::never).collect());
    }
    if let Some(action) = behind(text, "do not|don't|dont") {
        return plain(forbidden(action, later, root));
    }
    let object = match behind(text, "only") {
        Some(action) => changed(action)?,
        None => behind(changed(text)?, "only")?,
    };
    plain(only(object, later, root).into_iter().collect())
}

fn no_noun(text: &str) -> Option<Limit> {
    let noun = without(text, "please", before).to_lowercase();
    let (_, limit) = NOUNS.iter().find(|(nouns, _)| is_listed(&noun, nouns))?;
    Some(limit.clone())
}

/// A verb and its object, such as `edit` and `src/a.rs`.
struct Action<'a> {
    verb: Verb,
    object: &'a str,
}

impl<'a> Action<'a> {
    /// The action at the start of a text. `None` if the text doesn't begin with a known verb.
    fn of(text: &'a str) -> Option<Self> {
        VERBS.iter().find_map(|(words, verb)| {
            Some(Self { verb: *verb, object: object(*verb, behind(text, words)?) })
        })
    }
}

/// The object of a verb such as `change` or `edit` at the start of a text.
fn changed(text: &str) -> Option<&str> {
    let action = Action::of(text)?;
    matches!(action.verb, Verb::Change | Verb::Edit).then_some(action.object)
}

/// The name in an object, without the words around it, such as `src/a.rs` in `the file src/a.rs`.
fn object(verb: Verb, text: &str) -> &str {
    let before_name = match verb {
        Verb::Change | Verb::Edit | Verb::Delete => {
            "the|any|all|our|my|your|this|these|anything in|anything under|files in|files under"
        }
        Verb::Commit | Verb::Push => "it|any|the|my|your|directly|to|on|into",
        _ => "the|any|a|an|new|more|your",
    };
    without(without(text, TRAILING, before), before_name, behind)
}

/// The limits of a list of actions or objects, such as `edit or run tests`, `commit or push to
/// main` or `touch src/a.rs, src/b.rs`.
fn forbidden(first: &str, later: &[Part], root: Option<&str>) -> Vec<Limit> {
    let Some(first) = Action::of(first) else { return vec![] };
    if let Some(path) = behind(first.object, "anything outside of|anything outside") {
        return only(path, later, root).into_iter().collect();
    }
    let mut verb = first.verb;
    let mut actions = vec![first];
    for (at, part) in later.iter().enumerate() {
        let ends_with_or = || later[at..].iter().any(|part| part.join == Join::Or);
        let action = match Action::of(&part.text) {
            // "Don't commit, run the tests" isn't a list: the second part is a request.
            Some(_) if part.join == Join::And || !ends_with_or() => break,
            Some(action) => action,
            None => Action { verb, object: object(verb, &part.text) },
        };
        verb = action.verb;
        actions.push(action);
    }
    let limit = |at: usize| {
        let Action { verb, object } = actions[at];
        let next = actions[at + 1..].iter().find(|next| !next.object.is_empty());
        let shared = next.filter(|next| object.is_empty() && verb.shares_object_with(next.verb));
        limit_on(verb, shared.map_or(object, |next| next.object), root)
    };
    (0..actions.len()).map_while(limit).collect()
}

/// The limit of a list of paths after `only`. `None` if a conjunction is followed by anything but a
/// path.
fn only(first: &str, later: &[Part], root: Option<&str>) -> Option<Limit> {
    let named = |text| path(object(Verb::Change, text), root);
    let mut paths = vec![named(first)?];
    for part in later {
        match named(&part.text) {
            Some(path) => paths.push(path),
            None if part.join == Join::Mark
                || limits_at(std::slice::from_ref(part), root).is_some() =>
            {
                break;
            }
            None => return None,
        }
    }
    Some(Limit::OnlyPaths(paths))
}

/// The text after one of these phrases, if `text` begins with one.
fn behind<'a>(text: &'a str, phrases: &str) -> Option<&'a str> {
    phrases.split('|').find_map(|phrase| {
        let (begin, rest) = text.split_at_checked(phrase.len())?;
        let is_whole = rest.is_empty() || rest.starts_with(' ');
        (is_whole && begin.eq_ignore_ascii_case(phrase)).then(|| rest.trim_start())
    })
}

/// The text before one of these phrases, if `text` ends with one.
fn before<'a>(text: &'a str, phrases: &str) -> Option<&'a str> {
    phrases.split('|').find_map(|phrase| {
        let (rest, end) = text.split_at_checked(text.len().checked_sub(phrase.len())?)?;
        let is_whole = rest.is_empty() || rest.ends_with(' ');
        (is_whole && end.eq_ignore_ascii_case(phrase)).then(|| rest.trim_end())
    })
}

/// Removes all of these phrases from one end of the text. `cut` removes one phrase.
fn without<'a>(
    mut text: &'a str,
    phrases: &str,
    cut: impl Fn(&'a str, &str) -> Option<&'a str>,
) -> &'a str {
    while let Some(shorter) = cut(text, phrases) {
        text = shorter;
    }
    text
}
