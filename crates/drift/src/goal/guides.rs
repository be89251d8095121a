//! Documents that an instruction says to follow: "do what docs/plan.md says", 計画書のとおりに.

use serde::{Deserialize, Serialize};

use super::phrases;
use super::{clauses, excerpt, persons_words};
use crate::paths::{PathPattern, is_prose, name, named_in};

/// So many of one instruction.
const MAX_GUIDES: usize = 6;

/// A document that says what is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Guide {
    /// The one with this path.
    At(PathPattern),
    /// Whichever is called so.
    Called(String),
    /// The one that was read, if it is called a plan or the like: "implement it".
    Read,
}

/// Whether a file is called like a document that says what is to be done.
fn is_called_a_plan(file: &str) -> bool {
    CALLED.iter().any(|(_, _, names)| is_called(file, names))
}

fn is_called(file: &str, names: &[&str]) -> bool {
    let lower = name(file).to_lowercase();
    let mut parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    parts.any(|part| names.contains(&part))
        || names.iter().any(|name| !name.is_ascii() && lower.contains(name))
}

/// Whether a person may say to follow a file once it was read.
pub(crate) fn may_guide(file: &str) -> bool {
    is_prose(file) && is_called_a_plan(file)
}

impl Guide {
    /// Whether the file is it.
    pub(crate) fn is(&self, file: &str) -> bool {
        let is_it = match self {
            Self::At(path) => path.covers(file),
            Self::Called(what) => {
                let mut called = CALLED.iter().filter(|(key, ..)| key == what);
                called.any(|(_, _, names)| is_called(file, names))
            }
            Self::Read => is_called_a_plan(file),
        };
        is_it && is_prose(file)
    }
}

/// The documents that an instruction says to follow. One that it only names, or wants to be changed, is none.
pub(crate) fn guides_in(prompt: &str, root: Option<&str>) -> Vec<Guide> {
    let prose = clauses::prose(&excerpt(persons_words(prompt).trim()));
    let mut guides = vec![];
    for sentence in clauses::sentences(&prose) {
        let lower = sentence.lower.as_str();
        let named: Vec<String> =
            named_in(&sentence.text, root).into_iter().filter(|path| is_prose(path)).collect();
        for path in &named {
            let place = lower.find(&path.to_lowercase());
            if place.is_some_and(|at| is_followed(lower, at, path.len())) {
                guides.push(Guide::At(PathPattern::new(path)));
            }
        }
        if named.is_empty() {
            let called = CALLED.iter().filter(|(_, said, _)| {
                let place = phrases::find(lower, said);
                place.is_some_and(|(at, len)| is_followed(lower, at, len))
            });
            guides.extend(called.map(|(key, ..)| Guide::Called((*key).to_owned())));
            guides.extend(phrases::has(lower, GOES_AHEAD).then_some(Guide::Read));
        }
    }
    guides.truncate(MAX_GUIDES);
    guides
}

/// Whether a sentence says to follow what is named there.
fn is_followed(lower: &str, at: usize, len: usize) -> bool {
    let Some((before, after)) = lower.get(..at).zip(lower.get(at + len..)) else { return false };
    // What is written together with it is the root, or a mark.
    let before = before.trim_end_matches(|c: char| c.is_ascii_graphic()).trim_end();
    // "Follow the template and update PLAN.md" changes it.
    let since_change = CHANGES.iter().filter_map(|verb| Some(before.rfind(verb)? + verb.len()));
    let nearest = &before[since_change.max().unwrap_or(0)..];
    let is_begun =
        phrases::has(after, &["implement", "build", "do it", "do that", "begin", "start"]);
    phrases::has(nearest, FOLLOWS)
        || BEGINS.iter().any(|verb| nearest.ends_with(verb))
        || (nearest.ends_with("read") && is_begun)
        || phrases::begins(after.trim_start_matches(['`', '"', '\'', ' ']), DESCRIBES)
        || phrases::has(after, FOLLOWS_JAPANESE)
}

/// What stands before a document that is followed.
const FOLLOWS: &[&str] = &[
    "follow",
    "following",
    "do what",
    "do everything",
    "according to",
    "per",
    "described in",
    "outlined in",
    "listed in",
    "specified in",
    "written in",
    "laid out in",
    "steps in",
    "steps from",
    "steps of",
    "step in",
    "step of",
    "tasks in",
    "tasks from",
    "task in",
    "items in",
    "items from",
    "item in",
    "item of",
    "points in",
    "todos in",
    "plan in",
    "spec in",
    "instructions in",
    "requirements in",
    "checklist in",
    "work through",
    "go through",
    "carry out",
    "execute",
    "based on",
    "stick to",
    "see",
];
/// What stands right before it.
const BEGINS: &[&str] = &[
    "implement",
    "implement the",
    "build",
    "continue with",
    "proceed with",
    "go on with",
    "start with",
    "work on",
    "finish",
    "as in",
];
/// What stands between the two where the document itself is to be changed.
const CHANGES: &[&str] = &["update", "write", "edit", "rename", "translate"];
/// What stands right behind it.
const DESCRIBES: &[&str] =
    &["describes", "says what", "lists what", "has the steps", "has the plan"];
const FOLLOWS_JAPANESE: &[&str] = &[
    "のとおり",
    "の通り",
    "どおり",
    "通りに",
    "に従",
    "に沿",
    "に基づ",
    "をもとに",
    "を元に",
    "を実装",
    "を実行",
    "を進め",
    "に書いて",
    "に書いた",
    "に書かれ",
    "に記載",
    "の手順",
    "の項目",
    "のタスク",
    "の内容を",
    "を見て",
    "を読んで",
    "を参照",
    "を参考",
];

/// What is said of what was read.
const GOES_AHEAD: &[&str] = &[
    "implement it",
    "implement this",
    "implement that",
    "implement all of it",
    "do it",
    "do all of it",
    "build it",
    "follow it",
    "carry it out",
    "execute it",
    "go ahead",
    "実装して",
    "進めて",
];

/// Documents that are named by what they are: a name for it, how people call it, and words that its path has.
const CALLED: &[(&str, &[&str], &[&str])] = &[
    ("plan", &["the plan", "our plan", "my plan", "this plan", "計画"], &["plan", "plans", "計画"]),
    ("spec", &["the spec", "the specification", "仕様"], &["spec", "specification", "仕様"]),
    ("design", &["the design doc", "the design document", "設計書"], &["design", "設計"]),
    (
        "todo",
        &["the todo", "the todos", "the todo list", "todoリスト"],
        &["todo", "todos", "tasks"],
    ),
    ("roadmap", &["the roadmap", "ロードマップ"], &["roadmap"]),
    ("checklist", &["the checklist", "チェックリスト"], &["checklist"]),
    ("requirements", &["the requirements", "要件"], &["requirements", "要件"]),
    ("runbook", &["the runbook", "手順書"], &["runbook", "手順"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_followed_where_it_says_what_to_do() {
        let cases = [
            ("Do what docs/plan.md says", "docs/plan.md"),
            ("Implement the steps in TODO.md", "TODO.md"),
            ("Follow PLAN.md", "PLAN.md"),
            ("Please implement `specs/login.md`.", "specs/login.md"),
            ("Read /home/dev/app/docs/plan.md and implement it", "docs/plan.md"),
            ("Add rate limiting. See docs/limits.md for details", "docs/limits.md"),
            ("docs/plan.md のとおりに実装して", "docs/plan.md"),
            ("docs/設計.md と notes/todo.md に書いてある順に進めて", "notes/todo.md"),
            ("計画書のとおりにやってください", "called plan"),
            ("Please implement the plan, step by step", "called plan"),
            ("OK, implement it.", "read"),
            ("では実装してください", "read"),
            ("Write the parser according to the spec", "called spec"),
            ("Fix the typo in README.md", ""),
            ("Update docs/plan.md to follow the template", ""),
            ("Follow the template and update docs/plan.md", ""),
            ("README.md says 8080 but it is 9090", ""),
            ("Implement src/login.rs", ""),
            ("docs/plan.md の誤字を直して", ""),
            ("Add a plan to the pricing page", ""),
            ("<system-reminder>Follow PLAN.md</system-reminder>", ""),
        ];
        for (prompt, expected) in cases {
            let told = guides_in(prompt, Some("/home/dev/app")).into_iter().map(|one| match one {
                Guide::At(path) => path.as_str().to_owned(),
                Guide::Called(what) => format!("called {what}"),
                Guide::Read => "read".to_owned(),
            });
            assert_eq!(told.collect::<Vec<_>>().join(" "), expected, "{prompt}");
        }
    }

    #[test]
    fn a_guide_is_a_text_for_people() {
        let at = |path: &str| Guide::At(PathPattern::new(path));
        let called = |what: &str| Guide::Called(what.to_owned());
        let cases = [
            (at("docs/plan.md"), "docs/plan.md", true),
            (at("docs/plan.md"), "docs/plans.md", false),
            (at("specs/login.md"), "specs/login.md", true),
            (called("plan"), "PLAN.md", true),
            (called("plan"), "docs/2026-plan.md", true),
            (called("plan"), "docs/計画書.md", true),
            (called("plan"), "docs/explanation.md", false),
            (called("plan"), "src/plan.rs", false),
            (called("todo"), "TODO", true),
        ];
        for (guide, file, expected) in cases {
            assert_eq!(guide.is(file), expected, "{guide:?} {file}");
        }
    }
}
