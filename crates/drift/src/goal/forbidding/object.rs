//! What it is that is forbidden.

use std::collections::BTreeSet;

use super::super::constraint::{Constraint, Topic, is_of_no_database, topic_of};
use super::super::phrases::{find, has};
use super::english::CHANGING;
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
const PRODUCTION: &[&str] = &["production code", "prod code", "application code", "non-test code"];

/// The constraints that forbidding it means.
pub(super) fn forbidden_of(object: &Object) -> Vec<Constraint> {
    let Object { lower, paths, is_change, .. } = *object;
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
    if !found.is_empty() {
        return found;
    }
    if is_aspect(lower) {
        return Vec::new();
    }
    if is_change && paths.is_empty() && has(lower, PRODUCTION) {
        return vec![Constraint::NotTopic(Topic::Production)];
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
        return paths.iter().map(place).chain(topics).collect();
    }
    let found = topics(lower, is_change);
    let is_about_existing = has(lower, &["existing", "old", "already", "applied", "current"]);
    let narrowed = |one| match one {
        Constraint::NotTopic(topic) if is_about_existing => Constraint::NotExisting(topic),
        other => other,
    };
    found.into_iter().map(narrowed).collect()
}

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

/// Whether it is an aspect of something: "the public API of src/client".
fn is_aspect(lower: &str) -> bool {
    has(lower, &["public api", "public interface", "api contract"])
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
