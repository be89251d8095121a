//! Forbidding in English.

use super::super::clauses::Sentence;
use super::super::constraint::{Constraint, Topic};
use super::super::phrases::{begins, find, has, quoted};
use super::object::{Object, forbidden_of};
use super::staying::{AS_IT_IS, LEAVING, is_left_as_it_is, left_alone};
use super::{addressee, confining, no};
use crate::paths::{PathPattern, named_in};

pub(super) const NOT: &[&str] = &[
    "don't",
    "do not",
    "dont",
    "never",
    "without",
    "w/o",
    "not to",
    "avoid",
    "refrain from",
    "under no circumstances",
    "in no case",
    "on no account",
    "you can't",
    "you cannot",
    "rather you didn't",
    "rather you did not",
    "prefer you didn't",
    "rather not",
    "prefer not to",
    "not allowed to",
    "make sure not to",
    "please not",
    "must not",
    "mustn't",
    "should not",
    "shouldn't",
    "may not",
];
/// These come after what they forbid.
const IS_NOT: &[&str] = &[
    "must not",
    "mustn't",
    "should not",
    "shouldn't",
    "may not",
    "can't",
    "cannot",
    "must never",
    "is not to",
    "are not to",
];
pub(super) const CHANGING: &[&str] = &[
    "touch",
    "touching",
    "touched",
    "change",
    "changing",
    "changed",
    "changes",
    "modify",
    "modifying",
    "modified",
    "edit",
    "editing",
    "edited",
    "edits",
    "alter",
    "altering",
    "altered",
    "rewrite",
    "rewriting",
    "update",
    "updating",
    "delete",
    "deleting",
    "remove",
    "removing",
    "rename",
    "renaming",
    "move",
    "moving",
    "reformat",
    "reformatting",
    "format",
    "formatting",
    "break",
    "breaking",
    "mess with",
    "go near",
    "refactor",
    "refactoring",
    "replace",
    "regenerate",
    "fix",
    "fixing",
];
const MAKING: &[&str] = &[
    "add",
    "adding",
    "introduce",
    "introducing",
    "install",
    "installing",
    "create",
    "creating",
    "pull in",
    "bring in",
    "write",
    "writing",
    "use",
    "using",
    "new",
    "commit",
    "commits",
    "committing",
    "push",
    "pushes",
    "pushing",
    "do anything",
    "doing anything",
    "tag",
    "tagging",
    "bump",
    "bumping",
    "upgrade",
    "upgrading",
    "merge",
    "merging",
    "implement",
    "implementing",
    "start",
    "run",
    "running",
    "deploy",
    "publish",
    "release",
    "open",
];
const READ_ONLY: &[&str] = &[
    "read only",
    "read-only",
    "plan only",
    "planning only",
    "analysis only",
    "only a plan",
    "just a plan",
    "no edits",
    "no code changes",
    "no changes",
    "no changes yet",
    "no changes to the code",
    "no changes at all",
    "no code yet",
    "no code",
    "no modifications",
    "no implementation",
    "nothing may be changed",
    "look but don't touch",
    "just look",
    "hands off the code",
    "only look",
];
pub(super) const NOTHING: &[&str] = &[
    "anything",
    "any code",
    "any files",
    "any file",
    "code",
    "the code",
    "any of the code",
    "any source code",
    "source code",
    "the source code",
    "any source files",
    "source files",
    "the source files",
    "the sources",
    "any sources",
    "a thing",
    "files",
];

const FAULTS: &[&str] = &[
    "bug",
    "bugs",
    "error",
    "errors",
    "failure",
    "failures",
    "issue",
    "issues",
    "problem",
    "problems",
    "defect",
    "defects",
    "crash",
    "crashes",
    "warning",
    "warnings",
    "leak",
    "leaks",
    "regression",
    "regressions",
    "typo",
    "typos",
];

/// Where a "not" stands.
pub(super) fn negation(lower: &str) -> Option<usize> {
    find(lower, NOT).map(|(at, _)| at)
}

/// Whether it ends within or before what interrupts a "not".
pub(super) fn is_interrupted(lower: &str) -> bool {
    find(lower, NOT).is_some_and(|(at, len)| {
        let rest = &lower[at + len..];
        rest.is_empty() || rest.strip_prefix(", ").is_some_and(|rest| !rest.contains(", "))
    })
}

/// Whether what it forbids is forbidden in some case only, which may come or not: "unless the tests fail". What waits for the
/// person's word is forbidden until then.
pub(super) fn is_of_a_case(lower: &str) -> bool {
    let next = |(at, len): (usize, usize)| first_words(lower[at + len..].trim_start(), 1);
    let by_the_person = ["i", "we", "told", "asked", "instructed", "otherwise", "explicitly"];
    let unless = find(lower, &["unless"]).map(next);
    let left = || find(lower, LEAVING).filter(|_| is_left_as_it_is(lower)).map(|(at, _)| at);
    let case = negation(lower).or_else(left).and_then(|not| {
        let (at, _) = find(&lower[not..], &["if"])?;
        Some(lower[not..not + at].trim_end())
    });
    unless.is_some_and(|next| !by_the_person.contains(&next))
        || case.is_some_and(|before| {
            !["even", "as", "see", "check"].iter().any(|last| before.ends_with(last))
        })
}

/// What stands before a "not" or an "only", and behind the change that it is of.
pub(super) fn said_of_a_change(lower: &str) -> Option<(&str, &str)> {
    let (at, len) = find(lower, NOT).or_else(|| find(lower, &["only"]))?;
    let rest = lower[at + len..].trim_start();
    let verb = first_words(rest, 1);
    let is_change = CHANGING.contains(&verb) && !is_about_how(verb);
    is_change.then(|| (&lower[..at], &rest[verb.len()..]))
}

/// Whether a clause says that something is not to be changed, whatever it is.
pub(super) fn forbids_a_change(clause: &Sentence) -> bool {
    find(&clause.lower, NOT).is_some_and(|(at, len)| {
        addressee::is_the_agent(&clause.lower[..at])
            && has(first_words(&clause.lower[at + len..], 3), CHANGING)
    })
}

/// Whether a clause says that nothing but what was spoken of may change: "leave everything else alone".
pub(super) fn forbids_all_else(clause: &Sentence) -> bool {
    let lower = clause.lower.as_str();
    let is_else = ["anything else", "any other file", "any other files", "other files"];
    (has(lower, &is_else) && forbids_a_change(clause))
        || (has(lower, &["everything else", "all else"]) && is_left_as_it_is(lower))
}

/// Whether a clause says that what was spoken of is not to be changed: "do not change it". What is not to be mended is a
/// fault, and in no place of its own: "mark the bug, don't fix it".
pub(super) fn forbids_to_change_it(clause: &Sentence, before: &Sentence) -> bool {
    let lower = clause.lower.as_str();
    let is_left = |leaving: &str| {
        let rest = lower.split_once(leaving).map(|(_, rest)| rest.trim_start());
        rest.is_some_and(|rest| begins(rest, AS_IT_IS))
    };
    if ["leave it ", "leave them ", "keep it ", "keep them ", "leave that "]
        .into_iter()
        .any(is_left)
    {
        return true;
    }
    let Some((at, len)) = find(lower, NOT) else { return false };
    let mut words = lower[at + len..]
        .split_whitespace()
        .map(|word| word.trim_matches(['"', '\'']))
        .skip_while(|word| matches!(*word, "hand" | "manually" | "ever" | "even"));
    let verb = words.next().unwrap_or_default();
    let is_change = CHANGING.contains(&verb) && !is_about_how(verb) && !verb.contains("format");
    let is_mended = verb.starts_with("fix") && (has(&before.lower, FAULTS) || has(lower, FAULTS));
    is_change
        && !is_mended
        && matches!(words.next(), Some("it" | "them" | "those" | "these" | "that"))
        && goes_no_further(words.next().unwrap_or_default())
        && addressee::is_the_agent(&lower[..at])
}

/// Whether a clause says that nothing is to be changed in the place that was spoken of: "no changes in there".
pub(super) fn forbids_there(clause: &Sentence) -> bool {
    const THERE: &[&str] = &[
        "there",
        "in it",
        "inside it",
        "within it",
        "in them",
        "in that module",
        "in that package",
        "in that folder",
        "in that directory",
        "in that file",
        "in that crate",
    ];
    const IS: &[&str] =
        &["is", "are", "was", "were", "must", "should", "may", "can", "will", "has", "have", "'s"];
    let lower = clause.lower.as_str();
    let Some((at, len)) = find(lower, THERE) else { return false };
    // "There are" names no place, and "no changes in it are saved" tells what is.
    let is_told = begins(lower[at + len..].trim_start(), IS);
    if is_told && lower[at..].starts_with("there") {
        return false;
    }
    let before = &lower[..at];
    let is_away = has(before, &["stay out of", "keep out of", "hands off", "stay away from"])
        && !lower[..at].trim_end().ends_with("in");
    forbids_a_change(clause)
        || is_away
        || (no::forbids_changes(before) && !is_told)
        || (begins(before, &["nothing", "and nothing"])
            && (has(lower, DONE_TO) || has(lower, &["may change", "must change", "should change"])))
}

/// What a clause forbids.
pub(super) fn forbidden(clause: &Sentence, root: Option<&str>) -> Vec<Constraint> {
    let lower = clause.lower.as_str();
    let paths = named_in(&clause.text, root);
    if let Some(only) = confining::only_these(clause, &paths) {
        return vec![only];
    }
    if let Some(found) = left_alone(clause, &paths, root) {
        return found;
    }
    if let Some(said) = says_only(lower, READ_ONLY).filter(|_| paths.is_empty()) {
        return vec![no_edits_of(said)];
    }
    if let Some((_, rest)) = has(lower, &["make sure", "ensure", "sure that", "see to it"])
        .then(|| find(lower, &["is not", "isn't", "are not", "aren't", "not get", "never gets"]))
        .flatten()
        .map(|(at, len)| lower.split_at(at + len))
        && begins(rest.trim_start(), DONE_TO)
    {
        return paths.iter().map(|path| Constraint::NotPath(PathPattern::new(path))).collect();
    }
    if let Some((at, len)) = find(lower, IS_NOT)
        && has(&lower[at + len..], CHANGING)
        && !lower[..at].trim().is_empty()
        && !has(&lower[..at], &["you", "we", "i"])
    {
        // "The order must not change" is about what a program does: only what is named as a thing of the project counts.
        let is_done_to = has(
            &lower[at + len..],
            &["be touched", "be changed", "be modified", "be edited", "be altered"],
        );
        // "The button in a.tsx must not change its color" wants a.tsx changed.
        let changes_something = find(&lower[at + len..], CHANGING)
            .is_some_and(|(verb, len_of)| !lower[at + len + verb + len_of..].trim().is_empty());
        if changes_something && !is_done_to {
            return Vec::new();
        }
        let mut found = forbidden_of(&Object {
            text: &clause.text,
            lower: &lower[..at],
            paths: &paths,
            is_change: true,
        });
        found.retain(|one| is_done_to || !matches!(one, Constraint::NotTopic(Topic::Named(_))));
        return found;
    }
    if has(
        lower,
        &[
            "only the standard library",
            "standard library only",
            "just the standard library",
            "only the stdlib",
            "stdlib only",
        ],
    ) || is_library_alone(lower)
    {
        return vec![Constraint::NoNewDependencies];
    }
    if let Some(found) = nothing_is_to_be(lower).or(done_by_the_person(lower)) {
        return vec![found];
    }
    let bare = ["but ", "and "].iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(lower);
    if let Some(rest) = bare.strip_prefix("not ").filter(|_| !paths.is_empty() || bare == lower)
        && (!rest.starts_with("to ") || paths.len() == 1 && rest.split_whitespace().count() == 2)
    {
        let is_place = paths.first().is_some_and(|path| {
            let before =
                rest.split_once(path.to_lowercase().as_str()).map_or(rest, |(before, _)| before);
            before
                .split_whitespace()
                .all(|word| matches!(word.trim_matches('`'), "in" | "to" | "the" | "file" | ""))
        });
        let last = paths.last().and_then(|path| rest.split_once(path.to_lowercase().as_str()));
        let is_place =
            is_place && last.is_none_or(|(_, rest)| goes_no_further(rest.trim_matches('`')));
        let not = |path: &String| Constraint::NotPath(PathPattern::new(path));
        return paths.iter().filter(|_| is_place).map(not).collect();
    }
    if let Some((at, len)) = find(lower, NOT) {
        if !addressee::is_the_agent(&lower[..at]) || is_a_purpose(&lower[..at + len]) {
            return Vec::new();
        }
        return after_not(clause, &lower[at + len..], &named_within(&paths, &lower[at..]));
    }
    no::forbidden(clause, &paths)
}

/// The first of these that it says, where it says nothing else: "read-only, please", and not "add a read-only mode".
fn says_only<'a>(lower: &'a str, phrases: &[&str]) -> Option<&'a str> {
    const ELSE: &str = "please pls this is time for now yet just a an strictly purely keep it stay stays and so be the session task \
        only with at all to code thanks i want we ok though here mode still but of any in do it's that me let's absolutely \
        make making prompt turn analyse analyze analysis review explain exploration question";
    find(lower, phrases)
        .filter(|&(at, len)| {
            let others = lower[..at].split_whitespace().chain(lower[at + len..].split_whitespace());
            let bare = |word: &str| {
                let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
                word.is_empty() || ELSE.split_whitespace().any(|known| known == word)
            };
            others.into_iter().all(bare)
        })
        .map(|(at, len)| &lower[at..at + len])
}

/// What it means that none of it is to be changed: code alone, or anything.
pub(super) fn no_edits_of(said: &str) -> Constraint {
    if has(said, &["code", "source", "sources", "implementation"]) {
        Constraint::NotTopic(Topic::Code)
    } else {
        Constraint::NoEdits
    }
}

/// Whether only a part of the library that comes with the language may be used: `stdlib net/http only`.
fn is_library_alone(lower: &str) -> bool {
    let own = ["stdlib ", "standard library "].iter().find_map(|own| lower.split_once(own));
    own.is_some_and(|(_, part)| {
        let mut words = part.split(|c: char| c.is_whitespace() || c == ',');
        let (part, only) = (words.next().unwrap_or_default(), words.next());
        part.contains(['/', ':', '.']) && only == Some("only")
    })
}

/// "Nothing should be pushed".
fn nothing_is_to_be(lower: &str) -> Option<Constraint> {
    let (at, len) = find(lower, &["nothing", "no file", "no files", "no code"])?;
    let rest = lower[at + len..].trim_start();
    let (to_be, of) = find(
        rest,
        &[
            "should be",
            "must be",
            "may be",
            "is to be",
            "shall be",
            "should get",
            "must get",
            "gets",
            "is",
        ],
    )?;
    if to_be > 0 || !lower[..at].trim().is_empty() {
        return None;
    }
    match rest[of..].split_whitespace().next()? {
        _ if rest.starts_with("is ") && !rest.starts_with("is to be") => None,
        "pushed" => Some(Constraint::NoPushes),
        "committed" => Some(Constraint::NoCommits),
        "deleted" | "removed" => Some(Constraint::NoDeletions),
        "changed" | "touched" | "modified" | "edited" | "altered" => Some(Constraint::NoEdits),
        "installed" | "added" if rest.ends_with("installed") => Some(Constraint::NoNewDependencies),
        _ => None,
    }
}

/// "I'll commit it myself", "leave it uncommitted".
fn done_by_the_person(lower: &str) -> Option<Constraint> {
    let will = find(lower, &["i'll", "i will", "let me", "i want to", "i'd like to"]);
    let near = will.map(|(at, len)| first_words(&lower[at + len..], 3));
    let does =
        |deeds: &[&str]| near.is_some_and(|near| has(near, deeds)) && has(lower, &["myself"]);
    let leaves = |state: &[&str]| has(lower, LEAVING) && has(lower, state);
    if does(&["commit"]) || leaves(&["uncommitted", "unstaged"]) {
        return Some(Constraint::NoCommits);
    }
    (does(&["push"]) || leaves(&["unpushed"])).then_some(Constraint::NoPushes)
}

/// "Refactor it to avoid changing the config twice" says what for.
fn is_a_purpose(until: &str) -> bool {
    let purpose = until.strip_suffix("to avoid").or(until.strip_suffix("order not to"));
    purpose.is_some_and(|before| {
        let last = before.split_whitespace().next_back();
        !last.is_none_or(|last| {
            matches!(
                last,
                "try" | "want" | "like" | "prefer" | "need" | "sure" | "please" | "careful"
            )
        })
    })
}

/// The paths that stand in this part of a clause: "fix src/a.rs without touching tests/" forbids no change of src/a.rs.
pub(super) fn named_within(paths: &[String], lower: &str) -> Vec<String> {
    paths.iter().filter(|path| lower.contains(path.to_lowercase().as_str())).cloned().collect()
}

/// What was done to something that is not wanted so.
pub(super) const DONE_TO: &[&str] = &[
    "touched",
    "changed",
    "modified",
    "edited",
    "altered",
    "rewritten",
    "renamed",
    "moved",
    "removed",
    "deleted",
];

fn after_not(clause: &Sentence, rest: &str, paths: &[String]) -> Vec<Constraint> {
    let interrupted = rest.strip_prefix(", ").and_then(|rest| rest.split_once(", "));
    let rest = interrupted.map_or(rest, |(_, rest)| rest);
    if let Some(object) = ["want ", "like "].iter().find_map(|want| rest.trim().strip_prefix(want))
        && let Some((at, _)) = find(object, DONE_TO)
    {
        let object = object[..at].replace("itself", "");
        return forbidden_of(&Object {
            text: &clause.text,
            lower: object.trim(),
            paths,
            is_change: true,
        });
    }
    let is_no_deed = &["forget", "hesitate", "worry", "bother", "mind", "be afraid"];
    if has(first_words(rest, 2), is_no_deed) || wants_more(rest) {
        return Vec::new();
    }
    if rest.trim_start().starts_with('`') {
        let is_run = ["git ", "npm ", "cargo ", "make "].iter().any(|run| rest.contains(run));
        return commands(clause, rest.trim(), is_run);
    }
    let near = first_words(rest, 4);
    let change = find(near, CHANGING);
    let making = find(near, MAKING);
    let (at, len, is_change) = match (change, making) {
        (Some((at, len)), Some((other, _))) if at <= other => (at, len, true),
        (Some((at, len)), None) => (at, len, true),
        (_, Some((at, len))) => (at, len, false),
        (None, None) => return Vec::new(),
    };
    let verb = &near[at..at + len];
    let object = rest[at + len..].trim();
    // "Do not let users edit it", "do not change how it is sorted": other deeds are meant, and other things.
    let asks_how = ["how", "what", "when", "whether", "which", "why"];
    if !near[..at].split_whitespace().all(leads_to_a_deed) || has(first_words(object, 1), &asks_how)
    {
        return Vec::new();
    }
    if is_change
        && is_about_how(verb)
        && !has(object, &["anything", "any files", "any file", "files"])
    {
        return Vec::new();
    }
    if matches!(verb, "reformat" | "format" | "reformatting" | "formatting") {
        return vec![Constraint::NoReformatting];
    }
    if matches!(verb, "deploy" | "publish" | "release") {
        return vec![Constraint::NotRun(verb.to_owned())];
    }
    if matches!(verb, "delete" | "remove" | "deleting" | "removing")
        && has(object, &["anything", "any files", "any file", "files"])
    {
        return vec![Constraint::NoDeletions];
    }
    if matches!(verb, "run" | "running" | "use" | "using") {
        return commands(clause, object, verb.starts_with("run"));
    }
    let everything = NOTHING.iter().find(|all| {
        object.strip_prefix(**all).is_some_and(|rest| {
            !rest.starts_with(|c: char| c.is_ascii_alphanumeric()) && goes_no_further(rest)
        })
    });
    let is_everything = everything.is_some();
    if (verb.starts_with("upgrad") || verb.starts_with("bump")) && is_everything {
        return vec![Constraint::NoVersionBumps];
    }
    if verb.starts_with("install") && is_everything {
        return vec![Constraint::NoNewDependencies];
    }
    let is_bare = object.is_empty() && is_change && paths.is_empty();
    let is_code = matches!(verb, "implement" | "implementing" | "start")
        || (verb.starts_with("writ") && object.contains("code"));
    let is_all = verb.ends_with("anything") && goes_no_further(object);
    if is_code {
        return vec![Constraint::NotTopic(Topic::Code)];
    }
    if (is_everything && (is_change || verb.starts_with("writ"))) || is_bare || is_all {
        return vec![no_edits_of(everything.copied().unwrap_or_default())];
    }
    let whole = if is_change { object } else { &rest[at..] };
    forbidden_of(&Object { text: &clause.text, lower: whole, paths, is_change })
}

/// Whether a "not" before it asks for more, or leaves it open: "not just change it", "not change it only", "not need to".
fn wants_more(rest: &str) -> bool {
    begins(rest.trim_start(), &["just", "only", "merely", "simply", "solely", "need to", "have to"])
        || rest.trim_end().ends_with(" only")
}

/// Whether a word may stand between a "not" and what is not to be done.
fn leads_to_a_deed(word: &str) -> bool {
    const LEADS: &str = "ever even also please you to yet just want like need go and or do make making any think about try start by your own \
        git npm pip yarn cargo pnpm the go ahead them be me us him a new under further anything either again now it at all have \
        decide bother weaken feel tempted code should";
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.is_empty()
        || word.ends_with("ly")
        || LEADS.split_whitespace().any(|lead| lead == word)
        || CHANGING.contains(&word)
        || MAKING.contains(&word)
}

/// What is to be done otherwise, and may be done: "do not rewrite src/a.rs" leaves room for a small change of it.
fn is_about_how(verb: &str) -> bool {
    let ways =
        ["rewrit", "refactor", "renam", "mov", "delet", "remov", "replac", "break", "regenerat"];
    ways.iter().any(|way| verb.starts_with(way))
}

/// Whether nothing behind "anything" says which: "anything yet", and not "anything fancy".
fn goes_no_further(rest: &str) -> bool {
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || c == '"');
    rest.is_empty()
        || has(
            first_words(rest, 1),
            &[
                "yet", "for", "now", "please", "at", "until", "before", "without", "and", "or",
                "so", "just", "because", "since", "when", "while", "then", "first", "though",
                "either", "here", "itself", "this", "only", "myself", "as", "by", "directly",
                "manually", "yourself",
            ],
        )
}

fn commands(clause: &Sentence, object: &str, is_run: bool) -> Vec<Constraint> {
    let quoted: Vec<&str> = quoted(&clause.text).collect();
    if !quoted.is_empty() {
        let of = |word: &&str| {
            if is_run {
                Constraint::NotRun((*word).to_owned())
            } else {
                Constraint::NotUse((*word).to_owned())
            }
        };
        return quoted.iter().map(of).collect();
    }
    if !is_run {
        let found = forbidden_of(&Object {
            text: &clause.text,
            lower: object,
            paths: &[],
            is_change: false,
        });
        let is_one_word = !object.contains(' ') && object.len() >= 3 && object.is_ascii();
        return if found.is_empty() && is_one_word {
            vec![Constraint::NotUse(object.to_owned())]
        } else {
            found
        };
    }
    let command = object.split(" on ").next().unwrap_or(object).trim();
    let command = command.strip_prefix("the ").unwrap_or(command);
    let command = command.strip_prefix("any ").unwrap_or(command);
    if has(command, &["formatter", "formatters", "linter", "auto-formatter", "autoformatter"]) {
        return vec![Constraint::NoReformatting];
    }
    let is_short = command.split_whitespace().count() <= 3 && !command.is_empty();
    if is_short && command.is_ascii() {
        vec![Constraint::NotRun(command.to_owned())]
    } else {
        Vec::new()
    }
}

pub(super) fn first_words(text: &str, count: usize) -> &str {
    let mut left = count;
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            if in_word {
                left -= 1;
                if left == 0 {
                    return &text[..at];
                }
            }
            in_word = false;
        } else {
            in_word = true;
        }
    }
    text
}
