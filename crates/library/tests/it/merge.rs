//! Two branches add learnings, and git merges them.

use std::fs;

use proptest::prelude::*;
use verger_library::{Backend, Markdown};
use verger_memory::Learning;
use verger_testkit::TestEnvironment;

use crate::ground::{all, file, ground, learning, whole};

/// What two people are likely to write alike: git makes one of what it finds twice.
const BLOCKS: &[&str] = &[
    "",
    "Make the key once.",
    "```rust\nlet key = Key::new();\nfor attempt in 0..3 {\n    save(&key);\n}\n```",
    "- one\n- two\n- three\n- four\n- five",
    "\n\n\n\n\n\n",
    "## A heading\n---\n> quoted\n<<<<<<< HEAD\n=======\n>>>>>>> b",
    "same line\nsame line\nsame line\nsame line\nsame line\nsame line",
    "日本語の行\n  \tends in blanks  \n\r\n",
];

fn detail() -> impl Strategy<Value = String> {
    let block = proptest::sample::select(BLOCKS);
    proptest::collection::vec(block, 1..5).prop_map(|blocks| blocks.join("\n"))
}

fn details() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(detail(), 1..4)
}

/// Learnings whose ids nobody else has.
fn learnings(details: &[String], first: u64) -> Vec<Learning> {
    (first..).zip(details).map(|(number, detail)| learning(number, detail)).collect()
}

fn git(environment: &TestEnvironment, arguments: &[&str]) {
    assert_eq!(environment.run("git", arguments, "").success().code, 0);
}

fn commit(environment: &TestEnvironment, message: &str) {
    git(environment, &["add", "--all"]);
    git(environment, &["commit", "--quiet", "--allow-empty", "--no-gpg-sign", "-m", message]);
}

fn sorted(mut learnings: Vec<Learning>) -> Vec<Learning> {
    learnings.sort_by(|a, b| a.id.cmp(&b.id));
    learnings
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_merge_of_two_branches_loses_nothing(base in details(), ours in details(), theirs in details()) {
        let environment = TestEnvironment::with_repository();
        let markdown = Markdown::of_project(&ground(&environment));
        let sides = [(&base, 0), (&theirs, 100), (&ours, 200)].map(|(side, first)| learnings(side, first));
        let [base, theirs, ours] = &sides;
        markdown.append(base).unwrap();
        commit(&environment, "base");
        git(&environment, &["checkout", "--quiet", "-b", "theirs"]);
        markdown.append(theirs).unwrap();
        commit(&environment, "theirs");
        git(&environment, &["checkout", "--quiet", "main"]);
        markdown.append(ours).unwrap();
        commit(&environment, "ours");
        git(&environment, &["merge", "--quiet", "--no-edit", "theirs"]);
        prop_assert_eq!(sorted(all(&markdown)), sorted(sides.concat()));

        git(&environment, &["checkout", "--quiet", "theirs"]);
        let later = learnings(&[BLOCKS[2].to_owned()], 300);
        markdown.append(&later).unwrap();
        commit(&environment, "later");
        git(&environment, &["merge", "--quiet", "--no-edit", "main"]);
        prop_assert_eq!(sorted(all(&markdown)), sorted([sides.concat(), later].concat()));
    }
}

#[test]
fn a_conflict_that_git_leaves_hides_nothing_and_is_named() {
    let environment = TestEnvironment::with_repository();
    let markdown = Markdown::of_project(&ground(&environment));
    let [first, ours, theirs, later] = [1, 2, 3, 4].map(|number| learning(number, BLOCKS[2]));
    markdown.append(std::slice::from_ref(&first)).unwrap();
    fs::write(environment.project().join(".verger/.gitattributes"), "").unwrap();
    commit(&environment, "base");
    git(&environment, &["checkout", "--quiet", "-b", "theirs"]);
    markdown.append(std::slice::from_ref(&theirs)).unwrap();
    commit(&environment, "theirs");
    git(&environment, &["checkout", "--quiet", "main"]);
    markdown.append(std::slice::from_ref(&ours)).unwrap();
    commit(&environment, "ours");
    assert_eq!(environment.run("git", ["merge", "--quiet", "theirs"], "").code, 1);

    let before = fs::read_to_string(file(&environment)).unwrap();
    let entries = whole(&markdown);
    let marks: Vec<_> = (1..)
        .zip(before.lines())
        .filter(|(_, line)| ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|m| line.starts_with(m)))
        .map(|(number, _)| number)
        .collect();
    let named: Vec<_> = entries.problems.iter().map(|problem| problem.line).collect();
    assert_eq!((named, marks.len()), (marks, 3));

    markdown.append(std::slice::from_ref(&later)).unwrap();
    assert!(fs::read_to_string(file(&environment)).unwrap().starts_with(&before));
    let learnings = whole(&markdown).learnings.into_iter().map(|placed| placed.learning);
    assert_eq!(learnings.collect::<Vec<_>>(), [first, ours, theirs, later]);
}
