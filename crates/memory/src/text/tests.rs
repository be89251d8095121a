use proptest::prelude::*;
use verger_event::Timestamp;

use super::{Document, Key, Placed, Problem, parse, render, sections};
use crate::learning::{Learning, Provenance};
use crate::learning_id::LearningId;
use crate::samples::{any_learning, any_text, bare, full};
use crate::words::{Category, Confidence, Criterion, Scope};

const GOLDEN: &str = include_str!("../../fixtures/learnings-v1.md");
const UNDATED: Timestamp = Timestamp::from_millis(7);

fn learnings(text: &str) -> Vec<Learning> {
    parse(text, UNDATED).learnings.into_iter().map(|placed| placed.learning).collect()
}

fn problems(text: &str) -> Vec<(usize, String)> {
    let problems = parse(text, UNDATED).problems.into_iter();
    problems.map(|Problem { line, says }| (line, says)).collect()
}

/// A learning that is long enough to have comments with its id between its lines.
fn long() -> Learning {
    Learning {
        id: "learn-long".parse().unwrap(),
        summary: "\"quoted\", {#learn-x} and\nbroken".to_owned(),
        detail: "1\n2\n3\n4\n```\n## 6\n```\n<!-- learn-long -->\n9".to_owned(),
        tags: vec!["a, b".to_owned(), "#c".to_owned(), "d | tags: e".to_owned(), String::new()],
        ..bare()
    }
}

#[test]
fn the_text_form_is_what_it_always_was() {
    let written = [full(), bare(), long()].map(|learning| render(&learning)).join("\n");
    assert_eq!(written, GOLDEN);
    assert_eq!(learnings(GOLDEN), [full(), bare(), long()]);
    let lines: Vec<_> = parse(GOLDEN, UNDATED).learnings.iter().map(|placed| placed.line).collect();
    assert_eq!(lines, [1, 11, 21]);
}

#[test]
fn an_entry_written_by_hand_is_a_learning() {
    let by_hand = "\u{feff}# Learnings\r\n\r\nprose\r\n\r\n## Build on 3.12 only\r\n\
        - Category: Dependency\r\n* **Tags:** python, build\r\n\r\n\
        Wheels are missing.\r\n\r\n```\r\n## no heading\r\n# none\r\n```\r\n- tags: not a field\r\n\r\n";
    let detail = "Wheels are missing.\n\n```\n## no heading\n# none\n```\n- tags: not a field";
    let expected = Learning {
        id: LearningId::of_text("Build on 3.12 only", detail),
        category: Category::Dependency,
        summary: "Build on 3.12 only".to_owned(),
        detail: detail.to_owned(),
        scope: Scope::Project,
        confidence: Confidence::Medium,
        criteria: vec![],
        tags: vec!["python".to_owned(), "build".to_owned()],
        created: UNDATED,
        ..bare()
    };
    let placed = Placed { line: 5, learning: expected };
    assert_eq!(parse(by_hand, UNDATED), Document { learnings: vec![placed], problems: vec![] });
}

#[test]
fn fields_may_stand_behind_and_the_form_of_a_daily_log_is_read() {
    let text = "[14:32] **Pitfall** (grove:learn-abc123): Using unwrap() in async context\n\
        > When an async task panics\n> the runtime is at risk.\n\n\
        Tags: #rust #async | Confidence: High | Ticket: grove-abc123\n\n\
        ## Second\n\nplain\n\n- criteria: stable-fact | category: domain\n";
    let (first, second) = (learnings(text)[0].clone(), learnings(text)[1].clone());
    assert_eq!(
        first,
        Learning {
            category: Category::Pitfall,
            confidence: Confidence::High,
            summary: "Using unwrap() in async context".to_owned(),
            detail: "When an async task panics\nthe runtime is at risk.".to_owned(),
            tags: vec!["rust".to_owned(), "async".to_owned()],
            created: UNDATED,
            provenance: Provenance {
                ticket: Some("grove-abc123".to_owned()),
                ..Provenance::default()
            },
            ..bare()
        }
    );
    assert_eq!((second.detail.as_str(), second.criteria), ("plain", vec![Criterion::StableFact]));
}

#[test]
fn bad_entries_are_reported_with_their_line_and_the_rest_counts() {
    let good = render(&bare());
    let cases = [
        (
            "## a\n- category: mood\n",
            1,
            "\"mood\" is not a known category; use one of pattern, pitfall, \
            convention, dependency, process, domain, debugging",
        ),
        (
            "## a {#learn-x}\n\nfields are gone\n",
            1,
            "the learning has no `category`: restore the line of its fields",
        ),
        (
            "\n## a {#learn-x}\n- category: domain | id: learn-y\n",
            2,
            "the heading belongs to learn-x, the fields to learn-y: separate the two learnings",
        ),
        (
            "## a {#learn-x y}\n- category: domain\n",
            1,
            "\"learn-x y\" is not the id of a learning, such as learn-01M7G83FEM0000000000000007",
        ),
        (
            "## a\n- category: domain | created: soon\n",
            1,
            "created: \"soon\" is not a time; write it like 2026-11-15T12:34:56Z",
        ),
        (
            "## a\n- category: domain | criteria: mood\n",
            1,
            "criteria: \"mood\" is not a known criterion; use one of behavior_changing, decision_rationale, stable_fact, explicit_request",
        ),
        ("## other {#learn-abc123}\n- category: domain\n", 1, ""),
    ];
    for (text, line, says) in cases {
        let expected: &[(usize, String)] = &[(line, says.to_owned())];
        let expected = if says.is_empty() { &[] } else { expected };
        assert_eq!(problems(text), expected, "{text}");
        let both = format!("{text}\n{good}");
        assert_eq!(learnings(&both).last().unwrap().id, bare().id, "{text}");
    }
    let twice = format!("## other {{#learn-abc123}}\n- category: domain\n\n{good}");
    let says = "learn-abc123 is also on line 1, with another text, which is used: remove one of the two, or remove the id here";
    assert_eq!(problems(&twice), [(4, says.to_owned())]);
}

#[test]
fn an_entry_that_breaks_off_is_no_learning_wherever_it_does() {
    for learning in [full(), bare(), long()] {
        let whole = render(&learning);
        for end in whole.char_indices().map(|(at, _)| at).filter(|at| at + 1 < whole.len()) {
            let torn = &whole[..end];
            assert_eq!(learnings(torn), [], "{torn}");
            let mended = format!("{torn}\n\n{whole}");
            let is_named = torn.lines().count() < 3 || !problems(&mended).is_empty();
            assert_eq!((learnings(&mended), is_named), (vec![learning.clone()], true), "{torn}");
        }
    }
    let says = "the line of its fields is cut off: restore it, or end it with `| id: learn-x`";
    let torn = "## a {#learn-x}\n\n> b\n\n- category: domain | scope: project";
    assert_eq!(problems(torn), [(1, says.to_owned())]);
    let by_hand = "## a {#learn-x}\n\n> b\n\n- category: domain | tags: c | created: 2026-11-01\n";
    assert_eq!(problems(by_hand), []);
}

#[test]
fn an_entry_that_stands_twice_counts_once() {
    let text = [render(&bare()), render(&full()), render(&bare())].join("\n");
    assert_eq!((learnings(&text), problems(&text)), (vec![bare(), full()], vec![]));
}

#[test]
fn both_sides_of_a_conflict_count_and_its_marks_are_named() {
    let (ours, theirs) = (render(&full()), render(&bare()));
    let text = format!("## a\n=======\n<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> topic\n");
    assert_eq!(learnings(&text), [full(), bare()]);
    let lines: Vec<_> = problems(&text).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [3, 13, 23]);
}

#[test]
fn a_fence_that_is_never_closed_hides_no_learning() {
    let text = format!("## by hand\n- category: domain\n\n```\nx\n\n{}", render(&bare()));
    assert_eq!(learnings(&text).len(), 2);
}

/// The length of the longest run of lines that another entry could also have.
fn longest_common_run(entry: &str, id: &str) -> usize {
    let mark = format!("> <!-- {id} -->");
    let lines: Vec<_> = entry.lines().collect();
    let (_, between) = lines.split_first().unwrap();
    let (_, between) = between.split_last().unwrap();
    between.split(|line| *line == mark).map(<[&str]>::len).max().unwrap_or_default()
}

proptest! {
    #[test]
    fn any_learning_is_read_back(learning in any_learning()) {
        let text = render(&learning);
        let document = parse(&text, UNDATED);
        let placed = Placed { line: 1, learning };
        prop_assert_eq!(document, Document { learnings: vec![placed], problems: vec![] });
    }

    #[test]
    fn editors_and_line_ends_do_not_change_a_learning(learning in any_learning()) {
        let text = render(&learning);
        let stripped: Vec<_> = text.split('\n').map(|line| line.trim_end_matches([' ', '\t'])).collect();
        prop_assert_eq!(learnings(&stripped.join("\n")), [learning.clone()]);
        prop_assert_eq!(learnings(&text.replace('\n', "\r\n")), [learning]);
    }

    #[test]
    fn an_entry_has_what_git_needs_to_keep_it_apart(learning in any_learning()) {
        let text = render(&learning);
        let id = learning.id.as_str();
        let (first, last) = (format!(" {{#{id}}}"), format!("id: {id}\n"));
        prop_assert!(text.lines().next().unwrap().ends_with(&first));
        prop_assert!(text.ends_with(&last));
        prop_assert!(longest_common_run(&text, id) <= 3, "{}", text);
    }

    #[test]
    fn no_text_breaks_the_reader(pieces in proptest::collection::vec(any_text(), 0..20)) {
        let text = pieces.join("\n");
        let document = parse(&text, UNDATED);
        for Placed { learning, .. } in document.learnings {
            prop_assert_eq!(learnings(&render(&learning)), [learning]);
        }
        for section in sections(&text).0 {
            section.value(Key::Id);
            section.items(Key::Tags);
        }
    }
}
