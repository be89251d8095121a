use proptest::prelude::*;

use super::*;
use crate::score::{Files, violations};
use crate::step::{Outcome, Step};
use crate::tasks::PromptAction;

const ROOT: Option<&str> = Some("/home/dev/app");

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

/// A goal of these prompts, of which the last was read by a program, too.
fn read(prompts: &[&str], action: PromptAction, reading: Reading) -> (Goal, Goal) {
    let mut before = Goal::default();
    let (last, earlier) = prompts.split_last().unwrap();
    for prompt in earlier {
        before.hear(prompt, ROOT);
    }
    let (mut goal, mut by_rules) = (before.clone(), before);
    by_rules.hear(last, ROOT);
    goal.hear_with(last, ROOT, action);
    goal.read(&reading.bounded(), &by_rules, ROOT);
    (goal, by_rules)
}

#[test]
fn a_program_adds_to_what_rules_read() {
    let reading = Reading {
        goal: Some("Make the sign-in page keep its query".to_owned()),
        paths: texts(&["src/session/", "/home/dev/app/web/a.ts", "src/login.rs", "./web/a.ts"]),
        keywords: texts(&["cookie", "the"]),
        constraints: texts(&["Do not touch src/billing.", "no new dependencies", "be kind"]),
        task: None,
    };
    let prompt = "Fix the login redirect in src/login.rs. No new dependencies.";
    let (goal, by_rules) = read(&[prompt], PromptAction::NewTask, reading);
    let path = PathPattern::new;
    let added = vec![path("src/session/"), path("web/a.ts")];
    let mut expected = by_rules;
    expected.scope.paths.splice(0..0, added.clone());
    expected.keywords.extend(texts(&["cooki", "sign"]));
    expected.weak_keywords.extend(texts(&["page", "quer"]));
    expected.refined = Refined {
        text: Some("Make the sign-in page keep its query".to_owned()),
        paths: added,
        constraints: vec![Constraint::NotPath(path("src/billing"))],
    };
    assert_eq!(goal, expected);
}

#[test]
fn what_is_no_place_in_the_project_is_left_out() {
    for path in ["*", "**", "./", ".", "/", "/etc/passwd", "~/x", "a/../../b", "-", "…"] {
        assert_eq!(place(path, ROOT), None, "{path}");
    }
    for (path, expected) in [
        ("src", "src"),
        ("./src/a.rs", "src/a.rs"),
        ("/home/dev/app/src", "src"),
        ("*.css", "*.css"),
        ("画面/", "画面/"),
    ] {
        assert_eq!(place(path, ROOT), Some(PathPattern::new(expected)), "{path}");
    }
}

#[test]
fn what_a_program_takes_for_forbidden_is_lifted_by_a_person() {
    let pushes = || Reading { constraints: texts(&["do not push"]), ..Reading::default() };
    let login = "Fix the login in src/login.rs.";
    let goal = read(&[login], PromptAction::NewTask, pushes()).0;
    assert_eq!(goal.refined.constraints, [Constraint::NoPushes]);
    let after = |prompt: &str| {
        let mut goal = goal.clone();
        goal.hear(prompt, ROOT);
        (goal.constraints, goal.refined.constraints)
    };
    let none = Vec::<Constraint>::new;
    assert_eq!(after("Also handle the logout."), (none(), vec![Constraint::NoPushes]));
    assert_eq!(after("Also commit and push the login fix."), (none(), none()));
    assert_eq!(after("Please do not push the login."), (vec![Constraint::NoPushes], none()));
    let other = "Forget that. Write a changelog generator in tools/changelog.py.";
    assert_eq!(after(other), (none(), vec![Constraint::NoPushes]), "it outlives its task");
}

#[test]
fn another_task_of_a_program_lifts_nothing() {
    let prompts = ["Fix the login. Only change src/login.rs.", "Also fix the logout."];
    let (goal, by_rules) = read(&prompts, PromptAction::NewTask, Reading::default());
    assert_eq!(goal.text, "Also fix the logout.");
    assert_eq!(goal.constraints, by_rules.constraints);
    let only = Reading { constraints: texts(&["only change web/"]), ..Reading::default() };
    let (goal, by_rules) = read(&prompts, PromptAction::Continue, only);
    assert_eq!(goal.constraints, by_rules.constraints);
    assert_eq!(goal.refined.constraints, [], "which places may change is the person's to say");
}

fn is_forbidden(goal: &Goal, path: &str) -> bool {
    let input = serde_json::json!({ "file_path": path, "new_string": "x" });
    let edit = Step::of_call("Edit", &input, Outcome::default(), ROOT);
    !violations(goal, &edit, &Files::default(), |_: &str| false).is_empty()
}

#[test]
fn a_place_that_only_a_program_names_may_not_change_where_nothing_may() {
    let prompt = "Plan only, no edits. Write the documentation to notes/plan.rs.";
    let reading = Reading { paths: texts(&["src/b.rs"]), ..Reading::default() };
    let (goal, _) = read(&[prompt], PromptAction::NewTask, reading);
    let forbidden = ["notes/plan.rs", "src/b.rs"].map(|path| is_forbidden(&goal, path));
    assert_eq!(forbidden, [false, true], "{goal:?}");
}

fn said() -> impl Strategy<Value = String> {
    let said = prop::sample::select(vec![
        "Fix src/a.rs. Don't touch the tests.",
        "Stop, forget that. Only docs/ may change.",
        "you may change src/b.rs",
        "you may change the tests",
        "Plan only, no edits. Write it to docs/plan.md",
        "Update the docs in src/b.rs",
        "次は検索を直して。ライブラリは追加しないで",
        "Do not push. No new files.",
        "go ahead",
    ]);
    prop_oneof![4 => said.prop_map(str::to_owned), 1 => ".{0,60}"]
}

fn readings() -> impl Strategy<Value = Reading> {
    let list = |count| {
        let text = prop_oneof![said(), "[a-z]{1,9}(/[a-z]{1,9}){0,3}", ".{0,300}"];
        prop::collection::vec(text, 0..count)
    };
    let task = prop::option::of(prop::sample::select(vec![
        PromptAction::Continue,
        PromptAction::NewTask,
        PromptAction::Subtask,
        PromptAction::ParallelTask,
    ]));
    (prop::option::of(said()), list(40), list(60), list(20), task).prop_map(
        |(goal, paths, keywords, constraints, task)| Reading {
            goal,
            paths,
            keywords,
            constraints,
            task,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_a_program_answers_what_a_person_forbade_stays(
        turns in prop::collection::vec((said(), readings()), 1..8),
    ) {
        let mut goal = Goal::default();
        for (prompt, reading) in turns {
            let mut by_rules = goal.clone();
            if by_rules.hear(&prompt, ROOT).is_none() {
                continue;
            }
            goal.hear_with(&prompt, ROOT, reading.task.unwrap_or(PromptAction::Continue));
            goal.read(&reading.bounded(), &by_rules, ROOT);
            for one in by_rules.constraints.iter().chain(&by_rules.refined.constraints) {
                prop_assert!(
                    goal.constraints.contains(one) || goal.refined.constraints.contains(one),
                    "{one} of {prompt:?}"
                );
            }
            prop_assert!(by_rules.constraints.iter().all(|one| goal.constraints.contains(one)));
            prop_assert!(goal.allowed.iter().all(|one| by_rules.allowed.contains(one)));
            for path in ["src/a.rs", "src/b.rs", "docs/plan.md", "tests/a.rs", "web/x.css"] {
                let is_kept = is_forbidden(&goal, path) || !is_forbidden(&by_rules, path);
                prop_assert!(is_kept, "{path} after {prompt:?}");
            }
            prop_assert!(serde_json::to_string(&goal).unwrap().len() < 24 * 1024);
        }
    }
}
