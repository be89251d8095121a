//! What it is that is forbidden.

use std::collections::BTreeSet;

use super::super::constraint::{Constraint, Topic, is_of_no_database, topic_of};
use super::super::phrases::{find, has, quoted};
use super::english::{CHANGING, first_words};
use crate::paths::PathPattern;
use crate::words::{weak_words, words};

/// What stands where the forbidden thing is named.
pub(super) struct Object<'a> {
    /// The whole clause as it was written.
    pub(super) text: &'a str,
    /// The part with the object, in small letters.
    pub(super) lower: &'a str,
    /// The paths of the clause.
    pub(super) paths: &'a [String],
    /// Whether changing is forbidden, and not making.
    pub(super) is_change: bool,
}

pub(super) const DEPENDENCIES: &[&str] = &[
    "dependency",
    "dependencies",
    "deps",
    "packages",
    "package",
    "library",
    "libraries",
    "crate",
    "crates",
    "gem",
    "gems",
    "npm modules",
    "third-party",
    "third party",
    "plugins",
    "plugin",
    "依存",
    "依存関係",
    "ライブラリ",
    "パッケージ",
    "外部ライブラリ",
];

/// What is called so is all code but the tests.
const PRODUCTION: &[&str] = &[
    "production code",
    "prod code",
    "application code",
    "non-test code",
    "code under test",
    "system under test",
    "unit under test",
];

/// The constraints that forbidding it means.
pub(super) fn forbidden_of(object: &Object) -> Vec<Constraint> {
    let Object { lower, paths, is_change, .. } = *object;
    let found = acts(object);
    if !found.is_empty() {
        return found;
    }
    if is_aspect(lower) {
        return Vec::new();
    }
    if is_change && paths.is_empty() && has(lower, PRODUCTION) {
        return vec![Constraint::NotTopic(Topic::Production)];
    }
    let is_path = |path: &&String| endings(path).nth(1).is_none();
    let paths: Vec<String> = paths.iter().filter(is_path).cloned().collect();
    let paths = paths.as_slice();
    let endings_of: Vec<PathPattern> = endings(lower).filter(|_| is_change).collect();
    let named = named_part(lower).filter(|_| is_change && paths.is_empty());
    let more: Vec<Constraint> = endings_of
        .iter()
        .cloned()
        .chain(named.map(PathPattern::new))
        .filter(|one| !is_named(one, paths))
        .map(Constraint::NotPath)
        .collect();
    if let [place] = paths
        && !more.is_empty()
        && is_of_endings(lower, place)
    {
        let within =
            |one: &PathPattern| format!("{}/**/{}", place.trim_end_matches('/'), one.as_str());
        return endings_of
            .iter()
            .map(|one| Constraint::NotPath(PathPattern::new(&within(one))))
            .collect();
    }
    if paths.is_empty() && !more.is_empty() {
        return more;
    }
    if !paths.is_empty() {
        let others = lower
            .split_whitespace()
            .take_while(|word| *word == "of" || !AFTER.contains(word))
            .filter(|word| !word.contains(['/', '.']));
        // "The tests in tests/old" are no other tests.
        let mut next = others.clone().skip(1);
        let is_elsewhere = |_: &&str| !next.next().is_some_and(|next| WITHIN.contains(&next));
        let topics = others.filter(is_elsewhere).filter_map(topic_of).map(Constraint::NotTopic);
        let topics: Vec<_> = topics.filter(|_| is_change).collect();
        let place = |path: &String| {
            let is_about_existing = has(lower, &["existing", "already"]);
            let topic = path.rsplit('/').find_map(topic_of).filter(|_| is_about_existing);
            topic.map_or_else(
                || Constraint::NotPath(PathPattern::new(path)),
                // "Anything already in db/migrations": what is added there is none of it.
                Constraint::NotExisting,
            )
        };
        return paths.iter().map(place).chain(more).chain(topics).collect();
    }
    let found = topics(lower, is_change);
    let is_about_existing = has(lower, &["existing", "old", "already", "applied", "current"]);
    let narrowed = |one| match one {
        Constraint::NotTopic(topic) if is_about_existing => Constraint::NotExisting(topic),
        other => other,
    };
    found.into_iter().map(narrowed).collect()
}

/// What is not to be done, in whatever place.
fn acts(object: &Object) -> Vec<Constraint> {
    let Object { lower, is_change, .. } = *object;
    let mut found = Vec::new();
    if !is_change && has(lower, DEPENDENCIES) {
        found.push(Constraint::NoNewDependencies);
    }
    if has(lower, &["commit", "commits", "committing", "コミット"])
        || (!is_change && has(lower, &["tag", "tags", "tagging", "merge"]))
    {
        found.push(Constraint::NoCommits);
    }
    let opens = !is_change && has(lower, &["open a pr", "open a pull request", "open prs"]);
    let pushes = has(lower, &["push", "pushes", "pushing", "プッシュ"])
        && !has(lower, &["notification", "notifications", "button", "通知"]);
    if opens || pushes {
        found.push(Constraint::NoPushes);
    }
    if has(
        lower,
        &["version", "versions", "version number", "version bump", "version bumps", "バージョン"],
    ) && has(
        object.text.to_lowercase().as_str(),
        &[
            "bump", "bumps", "bumping", "upgrade", "raise", "change", "touch", "leave", "keep",
            "上げ", "変更", "変え",
        ],
    ) {
        found.push(Constraint::NoVersionBumps);
    }
    if !is_change
        && has(
            lower,
            &[
                "new files",
                "new file",
                "extra files",
                "additional files",
                "ファイルの追加",
                "新しいファイル",
                "新規ファイル",
                "ファイルを追加",
            ],
        )
    {
        found.push(Constraint::NoNewFiles { outside: None });
    }
    found
}

/// Files that are named by how they end: "any .prefab / .asset file".
pub(super) fn endings(lower: &str) -> impl Iterator<Item = PathPattern> {
    let ending = |piece: &str| {
        let ending = piece.strip_prefix('*').unwrap_or(piece).strip_prefix('.')?;
        let is_one = ending.len() <= MAX_ENDING
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric());
        is_one.then(|| PathPattern::new(&format!("*.{ending}")))
    };
    let names = lower.split(|c: char| c.is_whitespace() || c == ',' || !c.is_ascii());
    // `.map()` is a call.
    let names = names.map(|name| name.trim_start_matches(['`', '"', '\'', '(']));
    let names = names.map(|name| name.trim_end_matches(['`', '"', '\'', ')', '.', ':', '!']));
    let names = names.filter(|name| !name.is_empty());
    // `.prefab/.asset` are two of them, and `src/.env` is a path.
    names.filter_map(move |name| name.split('/').map(ending).collect::<Option<Vec<_>>>()).flatten()
}

/// Whether files that end so are meant in this place alone: "any .yml file under deploy/".
fn is_of_endings(lower: &str, place: &str) -> bool {
    let before = lower.split_once(place.to_lowercase().as_str()).map_or("", |(before, _)| before);
    let last = before.trim_end_matches('`').split_whitespace().next_back();
    last.is_some_and(|last| WITHIN.contains(&last)) && endings(before).next().is_some()
}

/// Whether one of the paths says the same: `.env` is a file.
fn is_named(ending: &PathPattern, paths: &[String]) -> bool {
    let ending = ending.as_str().trim_start_matches('*');
    paths.iter().any(|path| path.to_lowercase().ends_with(ending))
}

/// Longer ones are names.
const MAX_ENDING: usize = 12;

/// A part of the project by its name: "the `carrier-api` module", "the Orders.Contracts project".
pub(super) fn named_part(lower: &str) -> Option<&str> {
    quoted_part(lower).or_else(|| joined_part(lower))
}

/// One in backticks.
fn quoted_part(lower: &str) -> Option<&str> {
    let name = quoted(lower).next()?;
    let (before, behind) = lower.split_once(&format!("`{name}`"))?;
    let behind = behind.trim_start().trim_start_matches('の');
    let is_part = PARTS.iter().any(|part| behind.starts_with(part))
        || before.split_whitespace().next_back().is_some_and(|last| PARTS.contains(&last));
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    (is_part && is_name).then_some(name)
}

/// One that is written as only names are, before the word for it.
fn joined_part(lower: &str) -> Option<&str> {
    let words: Vec<&str> = lower.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let [name, part] = pair else { return None };
        let is_joined = name.len() >= MIN_JOINED
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.ends_with(|c: char| c.is_ascii_alphanumeric())
            && name.contains(['.', '_'])
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        (is_joined && PARTS.contains(&part.trim_end_matches([',', '.', ':', ';']))).then_some(*name)
    })
}

/// What a part of a project is called.
const PARTS: &[&str] = &[
    "module",
    "package",
    "folder",
    "directory",
    "crate",
    "project",
    "subproject",
    "app",
    "モジュール",
    "パッケージ",
    "フォルダ",
    "ディレクトリ",
    "プロジェクト",
];
/// `e.g.` is no name.
const MIN_JOINED: usize = 6;

/// What comes behind says where a thing is.
const WITHIN: &[&str] = &["in", "under", "inside", "within", "from", "at", "of", "below"];

/// Where the name of a thing ends.
const AFTER: &[&str] = &[
    "so", "because", "since", "until", "as", "when", "while", "yet", "please", "they", "it", "for",
    "if", "that", "which", "unless", "after", "before", "just", "now", "there", "at", "is", "are",
    "of", "with", "by", "from", "either", "though", "this", "we", "i", "even",
];
/// What is no part of a path.
const VAGUE: &[&str] = &[
    "signature",
    "behaviour",
    "behavior",
    "interface",
    "semantics",
    "logic",
    "layout",
    "structure",
    "anything",
    "everything",
    "production",
    "release",
    "names",
    "format",
    "output",
    "order",
    "unrelated",
    "rest",
    "passing",
    "working",
    "green",
];

/// Common words that are names of parts all the same.
const NAMED_TOO: &[&str] = &["fronte", "backen", "server", "client", "config", "settin", "web"];

/// What something is for others, or how it does what it does. That is in no place of its own, and work in its place may
/// well keep it.
const ASPECTS: &[&str] = &[
    "api",
    "apis",
    "interface",
    "signature",
    "signatures",
    "behaviour",
    "behavior",
    "semantics",
    "contract",
    "exports",
    "output",
    "return type",
    "return value",
    "return values",
    "meaning",
];

/// Where others see what something does.
const SEEN: &[&str] = &[
    "on the wire",
    "over the wire",
    "from outside",
    "from the outside",
    "to the outside",
    "in behaviour",
    "in behavior",
    "in its behaviour",
    "in its behavior",
    "in output",
    "in its output",
    "in their output",
    "externally",
    "outwardly",
    "visually",
    "functionally",
    "semantically",
];
const OTHERS: &[&str] = &[
    "callers",
    "caller",
    "users",
    "clients",
    "customers",
    "consumers",
    "everyone",
    "everybody",
    "partners",
    "integrators",
    "subscribers",
    "readers",
];

/// Whether it says for whom something is as it is: that is what it does, and in no place of its own.
pub(super) fn is_seen_by_others(lower: &str) -> bool {
    let is_for = |(at, len): (usize, usize)| has(first_words(&lower[at + len..], 4), OTHERS);
    has(lower, SEEN) || find(lower, &["for", "to"]).is_some_and(is_for)
}

/// Whether it is an aspect of something: "the public API of src/client".
fn is_aspect(lower: &str) -> bool {
    has(lower, &["public api", "public interface", "api contract"])
        || has(lower, SEEN)
        || find(lower, ASPECTS).is_some_and(|(at, len)| {
            let of = lower[at + len..].split_whitespace().next();
            of.is_some_and(|of| matches!(of, "of" | "in" | "from" | "for"))
        })
}

/// What each of several things stands for: "billing or the admin pages". A further deed is no thing.
fn topics(lower: &str, is_change: bool) -> Vec<Constraint> {
    let is_deed =
        |part: &str| part.split_whitespace().next().is_some_and(|word| CHANGING.contains(&word));
    let mut parts = lower.split(" or ");
    let first = parts.next().into_iter();
    let things = first.chain(parts.take_while(|part| !is_deed(part)));
    things.flat_map(|thing| topics_of_one(thing, is_change)).collect()
}

fn topics_of_one(lower: &str, is_change: bool) -> Vec<Constraint> {
    let mut named = BTreeSet::new();
    for word in lower.split(|c: char| c.is_whitespace() || c == ',') {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty()
            || matches!(
                bare,
                "the"
                    | "any"
                    | "our"
                    | "all"
                    | "a"
                    | "an"
                    | "my"
                    | "your"
                    | "and"
                    | "or"
                    | "existing"
                    | "current"
                    | "public"
                    | "old"
                    | "new"
                    | "more"
                    | "changes"
                    | "change"
                    | "to"
                    | "in"
                    | "edits"
            )
        {
            continue;
        }
        if topic_of(bare) == Some(Topic::Schema)
            && named.iter().any(|word: &String| is_of_no_database(word))
        {
            named.insert(bare.to_owned());
            break;
        }
        if let Some(topic) = topic_of(bare) {
            return if is_change || topic == Topic::Schema {
                vec![Constraint::NotTopic(topic)]
            } else {
                Vec::new()
            };
        }
        if AFTER.contains(&bare) && !named.is_empty() {
            break;
        }
        if VAGUE.contains(&bare) {
            return Vec::new();
        }
        let is_named = !words(bare).is_empty()
            || weak_words(bare).iter().any(|word| NAMED_TOO.contains(&word.as_str()));
        if is_named {
            named.insert(bare.to_owned());
        }
        if named.len() >= 3 {
            break;
        }
    }
    if is_change && !named.is_empty() {
        vec![Constraint::NotTopic(Topic::Named(named))]
    } else {
        Vec::new()
    }
}
