//! Tests that git merges the learnings of two branches.

use std::fs;

use proptest::prelude::*;
use verger_event::{EventId, Timestamp};
use verger_library::{Backend, Markdown, StatsLog, StatsReading};
use verger_memory::Learning;
use verger_memory::stats::{Log, StatsEvent, StatsLine, Tally};
use verger_testkit::TestEnvironment;

use crate::ground::{all, file, ground, learning, whole};

/// Texts that two people may write in the same way. Git may merge such lines into one.
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

/// Learnings with unique ids, beginning at `first`.
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

/// The work on a branch: the learnings that it adds, and the events about the first learning that
/// it logs.
#[derive(Debug, Clone)]
struct Branch {
    details: Vec<String>,
    moves: Vec<StatsEvent>,
}

fn branch() -> impl Strategy<Value = Branch> {
    let learning = learning(0, "").id;
    let by = learning.clone();
    let moves = [
        StatsEvent::Archived { learning: learning.clone(), reason: "old".to_owned() },
        StatsEvent::Restored { learning: learning.clone(), reason: "new".to_owned() },
        StatsEvent::Superseded { learning, by },
    ];
    let moves = proptest::collection::vec(proptest::sample::select(moves.to_vec()), 0..6);
    (details(), moves).prop_map(|(details, moves)| Branch { details, moves })
}

/// A project with several branches, on which learnings are added and events are logged.
struct Play {
    environment: TestEnvironment,
    markdown: Markdown,
    stats: StatsLog,
    learnings: Vec<Learning>,
    lines: Vec<StatsLine>,
}

impl Play {
    fn new() -> Self {
        let environment = TestEnvironment::with_repository();
        let ground = ground(&environment);
        Self {
            markdown: Markdown::of_project(&ground),
            stats: StatsLog::of_project(&ground),
            environment,
            learnings: vec![],
            lines: vec![],
        }
    }

    /// Does the work of a branch and commits it. The ids of its learnings begin at `first`.
    fn work(&mut self, branch: &Branch, first: u64) {
        let learnings = learnings(&branch.details, first);
        let at = |number| Timestamp::from_millis(1_794_767_961_556 + number);
        let line = |(number, event): (u64, &StatsEvent)| StatsLine {
            id: EventId::new(at(number), number.into()),
            at: at(number),
            session: None,
            tickets: vec![],
            event: event.clone(),
        };
        let lines: Vec<_> = (first..).zip(&branch.moves).map(line).collect();
        self.markdown.append(&learnings).unwrap();
        self.stats.append(&lines).unwrap();
        commit(&self.environment, "work");
        self.learnings.extend(learnings);
        self.lines.extend(lines);
    }

    /// Checks that every learning is unchanged and that all events are in the log.
    fn check(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(sorted(all(&self.markdown)), sorted(self.learnings.clone()));
        let read = match self.stats.read(None).unwrap() {
            StatsReading::Whole(log, _) => log,
            StatsReading::Missing => Log::default(),
            other => panic!("{other:?}"),
        };
        prop_assert_eq!(read.problems, []);
        let first = learning(0, "").id;
        let status = |lines: &[StatsLine]| Tally::of(lines).status(&first);
        prop_assert_eq!(status(&read.lines), status(&self.lines));
        prop_assert_eq!(read.lines.len(), self.lines.len());
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 16,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_merge_of_two_branches_loses_nothing(
        base in proptest::option::of(branch()),
        [ours, theirs, later] in [branch(), branch(), branch()],
    ) {
        let mut play = Play::new();
        if let Some(base) = base {
            play.work(&base, 0);
        }
        git(&play.environment, &["checkout", "--quiet", "-b", "theirs"]);
        play.work(&theirs, 100);
        git(&play.environment, &["checkout", "--quiet", "main"]);
        play.work(&ours, 200);
        git(&play.environment, &["merge", "--quiet", "--no-edit", "theirs"]);
        play.check()?;

        git(&play.environment, &["checkout", "--quiet", "theirs"]);
        play.work(&later, 300);
        git(&play.environment, &["merge", "--quiet", "--no-edit", "main"]);
        play.check()?;
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
