//! Reading what a person forbids, and what is allowed again.

pub(super) mod addressee;
pub(super) mod condition;
mod confining;
mod english;
pub(super) mod exception;
mod japanese;
mod no;
mod object;
mod sparing;
mod staying;
mod text;

use super::clauses::Sentence;
use super::constraint::{Allowed, Constraint, Topic, topic_of};
use super::phrases;
use super::signs::FOLLOWS;
use crate::paths::{FileKind, PathPattern, named_in};

/// What an instruction says of what must not be.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) forbidden: Vec<Constraint>,
    pub(super) allowed: Vec<Constraint>,
}

impl Limits {
    /// Takes in more places of which the same is said.
    fn add(&mut self, paths: &[String]) {
        let patterns = || paths.iter().map(|path| PathPattern::new(path));
        match self.forbidden.as_mut_slice() {
            [Constraint::Only(allowed)] => {
                let own = std::mem::take(allowed);
                allowed.extend(patterns().map(Allowed::Path).chain(own));
            }
            _ => self.forbidden.extend(patterns().map(Constraint::NotPath)),
        }
    }
}

impl Limits {
    /// Takes in that nothing may change but what was named, in these places or anywhere.
    fn spare_all_else(&mut self, named: &[String], places: &[String], lower: &str) {
        let not = |path: &String| Constraint::NotPath(PathPattern::new(path));
        let is_wanted = |path: &&String| !self.forbidden.contains(&not(path));
        let named: Vec<String> = named.iter().filter(is_wanted).cloned().collect();
        if !places.is_empty() {
            self.forbidden.extend(places.iter().map(not));
            self.allowed.extend(named.iter().map(not));
        } else if !named.is_empty() {
            self.forbidden.push(only(&named, lower));
        }
    }
}

impl Limits {
    /// Who forbids code and wants no text wants nothing changed at all; who forbids all forbids code.
    fn settle_code(&mut self, wants_a_text: impl FnOnce() -> bool) {
        const CODE: Constraint = Constraint::NotTopic(Topic::Code);
        let is_all = self.forbidden.contains(&Constraint::NoEdits);
        let Some(at) = self.forbidden.iter().position(|one| *one == CODE) else { return };
        if is_all {
            self.forbidden.remove(at);
        } else if !wants_a_text() {
            self.forbidden[at] = Constraint::NoEdits;
        }
    }
}

/// What an instruction named so far.
#[derive(Default)]
struct Earlier {
    /// The places that it may want changed.
    named: Vec<String>,
    /// What files have in common that was spoken of last.
    topics: Vec<Topic>,
    /// The places that were spoken of last, as they are forbidden.
    places: Vec<Constraint>,
}

impl Earlier {
    /// Takes in the places that a clause speaks of: all that it forbids, or else the last.
    fn speak_of(&mut self, clause: &Sentence, named: &[String], found: &[Constraint]) {
        let is_place = |one: &&Constraint| matches!(one, Constraint::NotPath(_));
        let forbidden: Vec<Constraint> = found.iter().filter(is_place).cloned().collect();
        let last = named.last().map(String::as_str).or(object::named_part(&clause.lower));
        if !forbidden.is_empty() {
            self.places = forbidden;
        } else if let Some(last) = last {
            self.places = vec![Constraint::NotPath(PathPattern::new(last))];
        }
    }
}

/// Whether a clause says that nothing is to be changed in the place that was spoken of.
fn forbids_there(clause: &Sentence) -> bool {
    english::forbids_there(clause) || japanese::forbids_there(&clause.lower)
}

/// What all sentences together forbid and allow.
pub(super) fn limits(sentences: &[Sentence], root: Option<&str>) -> Limits {
    let mut limits = Limits::default();
    let mut earlier = Earlier::default();
    for sentence in sentences {
        let topics = japanese::named_topics(&sentence.lower);
        if !topics.is_empty() {
            earlier.topics = topics;
        }
        of_sentence(sentence, root, &mut earlier, &mut limits);
        earlier.named.extend(to_change(sentence, named_in(&sentence.text, root)));
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
        limits.forbidden.retain(|one| !one.puts_work_off());
        limits.forbidden.push(Constraint::Only(places));
    }
    limits.settle_code(|| text::is_asked_for(sentences, root));
    // "The standard library only, a driver is fine": which one is meant is not known, so that none is held against the agent.
    if limits.allowed.contains(&Constraint::NoNewDependencies) {
        limits.forbidden.retain(|one| *one != Constraint::NoNewDependencies);
    }
    limits
}

/// The places that a sentence may want changed: a text that is to be followed says itself what is.
fn to_change(sentence: &Sentence, mut named: Vec<String>) -> Vec<String> {
    if phrases::has(&sentence.lower, FOLLOWS) {
        named.retain(|path| FileKind::of(path) != FileKind::Document);
    }
    named
}

/// Whether a clause says what not to do.
pub(super) fn forbids(clause: &Sentence, root: Option<&str>) -> bool {
    !of_clause(clause, root).is_empty()
}

fn of_sentence(
    sentence: &Sentence,
    root: Option<&str>,
    earlier: &mut Earlier,
    limits: &mut Limits,
) {
    if PRINTED.iter().any(|printed| sentence.lower.starts_with(printed)) {
        return;
    }
    let sentence = &sentence.without_speech();
    let mut was_forbidding = false;
    let mut was_only = false;
    let mut named_so_far: Vec<String> = Vec::new();
    let mut before = Sentence::new("");
    let (mut said, mut read) = (condition::Said::Always, 0);
    for clause in sentence.clauses() {
        let at = sentence.text[read..].find(&clause.text).map_or(read, |at| read + at);
        said = said.then(&clause, &sentence.text[..at], || forbids(&clause, root));
        read = at;
        if said.is_of_a_case() || is_left_to_the_agent(&clause.lower) {
            (was_forbidding, was_only) = (false, false);
            continue;
        }
        if let Some(mut found) = exception::limits(&clause, root) {
            if is_only_names(&before.lower) {
                // "src/a.rs、src/b.rs 以外は".
                found.add(&named_in(&before.text, root));
            }
            was_only = found.forbidden.iter().any(|one| matches!(one, Constraint::Only(_)));
            was_forbidding = !was_only && !found.forbidden.is_empty();
            limits.forbidden.extend(found.forbidden);
            limits.allowed.extend(found.allowed);
            continue;
        }
        let allowed = confining::allowed(&clause, root);
        if !allowed.is_empty() {
            limits.allowed.extend(allowed);
            (was_forbidding, was_only) = (false, false);
            continue;
        }
        if phrases::has(&clause.lower, &["nowhere else", "nothing else"]) {
            named_so_far.extend(named_in(&clause.text, root));
        }
        if phrases::has(&clause.lower, NOTHING_ELSE)
            && !named_so_far.is_empty()
            && !phrases::has(&clause.lower, &["in there"])
        {
            limits.forbidden.push(only(&named_so_far, &sentence.lower));
            continue;
        }
        if english::forbids_all_else(&clause) {
            let mut named = earlier.named.clone();
            named.extend(to_change(sentence, named_so_far.clone()));
            limits.spare_all_else(&named, &named_in(&clause.text, root), &sentence.lower);
            continue;
        }
        let mut found = of_clause(&clause, root);
        let spoken_of = named_before(&before, &clause, root);
        if english::forbids_to_change_it(&clause, &before) {
            found = spoken_of;
        } else if found == [Constraint::NoEdits]
            && is_only_names(&before.lower)
            && !spoken_of.is_empty()
        {
            // "src/b.rs: do not touch".
            found = spoken_of;
        }
        let named = named_in(&clause.text, root);
        if named.is_empty() && !earlier.places.is_empty() && forbids_there(&clause) {
            found.clone_from(&earlier.places);
        }
        earlier.speak_of(&clause, &named, &found);
        if found.is_empty() && japanese::leaves_what_is_there(&clause.lower) {
            found.extend(earlier.topics.iter().cloned().map(Constraint::NotExisting));
        }
        if begins_with_a_place(&clause, &found) && is_only_names(&before.lower) {
            // "src/b.rs、docs/a.md はそのままで".
            let last = std::mem::take(&mut found);
            found.extend(named_before(&before, &Sentence::new(""), root));
            found.extend(last);
        }
        before = clause.clone();
        if found.is_empty() {
            named_so_far.extend(named.iter().cloned());
        }
        if found.is_empty() {
            let is_a_list = is_only_names(&clause.lower);
            if was_forbidding && is_a_list {
                limits.forbidden.extend(listed(&clause, &named, limits.forbidden.last()));
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

/// What a further part of a list forbids: the places in it and, if changes are forbidden, what files have in common.
fn listed(clause: &Sentence, named: &[String], last: Option<&Constraint>) -> Vec<Constraint> {
    let is_change = matches!(last, Some(Constraint::NotPath(_) | Constraint::NotTopic(_)));
    let topics = clause.lower.split_whitespace().filter(|_| is_change).filter_map(topic_of);
    let endings = object::endings(&clause.lower).filter(|_| is_change && named.is_empty());
    let places = named.iter().map(|path| PathPattern::new(path)).chain(endings);
    places.map(Constraint::NotPath).chain(topics.map(Constraint::NotTopic)).collect()
}

/// Whether a heading says that what is listed below it is forbidden, or alone allowed.
pub(super) fn is_heading(heading: &Sentence) -> bool {
    english::negation(&heading.lower).is_some()
        || phrases::has(
            &heading.lower,
            &["only", "off limits", "off-limits", "out of scope", "forbidden"],
        )
        || phrases::has(&heading.lower, &["ないで", "ないこと", "禁止", "だけ", "のみ", "対象外"])
}

/// Whether a part of a sentence forbids, or alone allows, what the next part begins to list.
pub(super) fn is_listed(heading: &Sentence, item: &Sentence) -> bool {
    const SMALL: &str = "please only these those files file the following any of in parts paths do";
    let lower = heading.lower.as_str();
    let is_small = |word: &str| SMALL.split_whitespace().any(|small| small == word);
    let is_thing = |word: &str| topic_of(word).is_some() || !named_in(word, None).is_empty();
    let listed = item.lower.split_whitespace().filter(|word| !is_small(word)).take(1).any(is_thing);
    let said = english::said_of_a_change(lower);
    let is_bare = said.is_some_and(|(before, behind)| {
        before.split_whitespace().chain(behind.split_whitespace()).all(is_small)
    });
    let is_name = matches!(lower, "off limits" | "off-limits" | "out of scope" | "hands off");
    listed && (is_bare || is_name || japanese::is_bare(lower))
}

/// What an item of a list means below such a heading.
pub(super) fn under_heading(heading: &Sentence, item: &Sentence) -> Sentence {
    let said = heading.text.trim_end_matches([':', '：', ' ']);
    let (said, item) = (said.trim(), item.text.as_str());
    if !said.is_ascii() {
        let below = ["以下のファイル", "次のファイル", "以下のもの", "以下", "次"];
        return match below.iter().find(|below| said.contains(**below)) {
            Some(below) => Sentence::new(&said.replacen(below, item, 1)),
            None => Sentence::new(&format!("{item}は{said}")),
        };
    }
    let names = ["limits", "off-limits", "out of scope", "forbidden", "hands off"];
    let is_name = phrases::find(&heading.lower, &names);
    let said = if is_name.is_some() { "do not touch" } else { said };
    Sentence::new(&format!("{said} {item}"))
}

/// Whether a "not" waits for what is not to be done: "do not, under any circumstances, ...".
pub(super) fn is_interrupted(before: &str) -> bool {
    english::is_interrupted(&before.to_lowercase())
}

/// What an "it" or "them" of a clause means: what was named last, before it or in it.
fn named_before(before: &Sentence, clause: &Sentence, root: Option<&str>) -> Vec<Constraint> {
    let of = |one: &Sentence| {
        let paths = named_in(&one.text, root);
        let topics = one.lower.split_whitespace().filter_map(topic_of).map(Constraint::NotTopic);
        if paths.is_empty() {
            topics.take(1).collect()
        } else {
            paths.iter().map(|path| Constraint::NotPath(PathPattern::new(path))).collect()
        }
    };
    let own: Vec<Constraint> = of(clause);
    if own.is_empty() { of(before) } else { own }
}

/// Whether what is forbidden is a place that a clause begins with.
fn begins_with_a_place(clause: &Sentence, found: &[Constraint]) -> bool {
    let [Constraint::NotPath(place), ..] = found else { return false };
    clause.text.trim_start_matches('`').starts_with(place.as_str())
}

/// Whether the agent may decide for itself: what it then does breaks nothing.
fn is_left_to_the_agent(lower: &str) -> bool {
    let until = phrases::find(lower, &["until", "before", "till"]);
    let is_fulfilled = until.is_some_and(|(at, _)| phrases::has(&lower[at..], SUCCESS));
    is_fulfilled || phrases::has(lower, AT_WILL) || english::is_of_a_case(lower)
}

/// What the agent can bring about itself: "do not commit until the tests pass" forbids it no commit after that.
const SUCCESS: &[&str] = &[
    "pass",
    "passes",
    "passing",
    "green",
    "works",
    "builds",
    "compiles",
    "succeed",
    "succeeds",
    "finished",
    "it's done",
    "you're done",
    "you are done",
];

const AT_WILL: &[&str] = &[
    "if you must",
    "if you have to",
    "if you need to",
    "if necessary",
    "if needed",
    "if absolutely",
    "if really",
    "if possible",
    "if at all",
    "if you can avoid",
    "if you can help",
    "when necessary",
    "as a last resort",
    "通るまで",
    "成功するまで",
    "終わるまで",
    "完了するまで",
    "必要なら",
    "必要な場合",
    "必要があれば",
    "必要がない限り",
    "必要でない限り",
    "必要がなければ",
    "やむを得",
    "できれば",
    "なるべく",
    "できるだけ",
    "可能なら",
    "可能であれば",
    "済むなら",
    "済むのなら",
    "済むようなら",
    "済む場合",
    "済めば",
];

/// So begins what a program printed, which forbids nobody anything.
const PRINTED: &[&str] =
    &["error:", "error[", "fatal:", "panic:", "exception:", "traceback", "npm err!"];

fn of_clause(clause: &Sentence, root: Option<&str>) -> Vec<Constraint> {
    let clause = &clause.without_speech();
    if is_left_to_the_agent(&clause.lower) {
        return Vec::new();
    }
    if let Some(found) = exception::limits(clause, root) {
        return found.forbidden;
    }
    let mut found = english::forbidden(clause, root);
    if found.is_empty() {
        found = sparing::spared(clause, root);
    }
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
            || topic_of(word).is_some()
            || matches!(word, "and" | "or" | "nor" | "also" | "the" | "either" | "neither")
            || matches!(word, "any" | "file" | "files")
    };
    let names =
        lower.contains(['.', '/']) || lower.split_whitespace().any(|one| topic_of(one).is_some());
    others <= 3 && names && lower.split_whitespace().all(is_name)
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
