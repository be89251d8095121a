//! What instructions are taken to want.

use verger_drift::PathPattern;
use verger_drift::goal::{Breadth, Goal, Turn};

fn heard(prompts: &[&str]) -> (Goal, Option<Turn>) {
    let mut goal = Goal::default();
    let turns: Vec<Option<Turn>> =
        prompts.iter().map(|prompt| goal.hear(prompt, Some("/home/dev/app"))).collect();
    (goal, turns.last().copied().flatten())
}

#[test]
fn an_instruction_names_where_it_leads() {
    let prompt = "Rename `loadUser` in src/users.ts, crates/db and /home/dev/app/web/*.css everywhere. \
                  See com.acme.geo.Projection and fetch_all().";
    let (goal, turn) = heard(&[prompt]);
    let paths: Vec<&str> = goal.scope.paths.iter().map(PathPattern::as_str).collect();
    assert_eq!(paths, ["src/users.ts", "crates/db", "web/*.css", "com/acme/geo/Projection"]);
    assert_eq!(goal.scope.symbols, ["loadUser", "fetch_all"]);
    assert_eq!((goal.scope.breadth, turn), (Breadth::Broad, Some(Turn::First)));
}

#[test]
fn what_is_forbidden_is_no_place_of_the_work() {
    let cases: [(&str, &[&str]); 5] = [
        ("Fix src/login.rs, but do not touch web/theme.css", &["src/login.rs"]),
        ("Fix src/login.rs. Leave src/session/ alone.", &["src/login.rs"]),
        ("src/login.rs を直して。web/theme.css は触らないで", &["src/login.rs"]),
        ("Only change src/login.rs", &["src/login.rs"]),
        ("Explain src/login.rs, do not change anything", &["src/login.rs"]),
    ];
    for (prompt, expected) in cases {
        let (goal, _) = heard(&[prompt]);
        let places: Vec<&str> = goal.places().map(PathPattern::as_str).collect();
        assert_eq!(places, expected, "{prompt}");
    }
}

#[test]
fn an_instruction_implies_what_comes_with_it() {
    let wishes = |prompt: &str| {
        let wishes = heard(&[prompt]).0.scope.wishes;
        let named = [
            (wishes.tests, "tests"),
            (wishes.documents, "documents"),
            (wishes.dependencies, "dependencies"),
            (wishes.tooling, "tooling"),
            (wishes.commits, "commits"),
            (wishes.cause, "cause"),
            (wishes.answer, "answer"),
        ];
        let held = named.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name);
        held.collect::<Vec<_>>().join(" ")
    };
    let cases = [
        ("write tests for src/parser", "tests"),
        ("ログインのテストを追加して", "tests"),
        ("Document the HTTP API", "documents"),
        ("upgrade tokio", "dependencies"),
        ("the CI is red", "tooling cause"),
        ("why does the upload hang?", "cause answer"),
        ("原因を調べて", "cause answer"),
        ("make the header blue", ""),
        // What is forbidden is not wished for.
        ("make the header blue, but don't touch the tests", ""),
    ];
    for (prompt, expected) in cases {
        assert_eq!(wishes(prompt), expected, "{prompt}");
    }
}

#[test]
fn what_a_person_says_next_goes_on_refines_or_replaces() {
    const FIRST: &str = "Add dark mode to the settings screen.";
    let cases = [
        ("continue", Turn::GoesOn),
        ("go on", Turn::GoesOn),
        ("続けて", Turn::GoesOn),
        ("お願いします", Turn::GoesOn),
        ("also cover the sidebar", Turn::Refines),
        ("use a softer grey instead", Turn::Refines),
        ("debounce it too", Turn::Refines),
        ("あと、フッターもお願い", Turn::Refines),
        ("by the way, sort the keys of the locales alphabetically", Turn::Refines),
        ("Stop, forget dark mode. The login returns 502, look into that.", Turn::Replaces),
        ("Stop there. Invites expire after 1h instead of 7 days, fix that.", Turn::Replaces),
        ("Great. Now something else: the docs site does not build.", Turn::Replaces),
        ("Change of plans: customers cannot log in, see to the cookie.", Turn::Replaces),
        ("Let's put that on ice. The payment webhook answers 500.", Turn::Replaces),
        ("ダークモードは後でいいので、決済のエラーを調べて", Turn::Replaces),
        ("Hold the redesign, the payment webhook is broken.", Turn::Replaces),
        ("ダークモードは保留にして、次は決済のタイムアウトを直して", Turn::Replaces),
        ("ダークモードはいったん置いておいて、決済のずれを先にお願い", Turn::Replaces),
        ("それはもういいです。別件で、CSVの取り込みを直して", Turn::Replaces),
        ("Implement the retry policy for outgoing webhooks", Turn::SeemsNew),
    ];
    for (prompt, expected) in cases {
        assert_eq!(heard(&[FIRST, prompt]).1, Some(expected), "{prompt}");
    }
}

#[test]
fn what_machines_say_is_no_instruction() {
    let (goal, turn) = heard(&[
        "<system-reminder>The user opened src/other.rs.</system-reminder>\nFix src/a.rs",
        "<task-notification>agent finished src/b.rs</task-notification>",
    ]);
    let paths: Vec<&str> = goal.scope.paths.iter().map(PathPattern::as_str).collect();
    assert_eq!((goal.text.as_str(), paths, turn), ("Fix src/a.rs", vec!["src/a.rs"], None));
}

#[test]
fn what_was_ended_is_remembered_until_it_is_asked_for_again() {
    let first = "Add dark mode to the settings screen";
    let (goal, _) = heard(&[first, "Forget dark mode. Fix the login."]);
    assert!(goal.ended.contains("dark") && !goal.keywords.contains("dark"), "{goal:?}");
    let (goal, _) = heard(&[first, "Forget dark mode. Fix the login.", "also do dark mode again"]);
    assert!(!goal.ended.contains("dark") && goal.keywords.contains("dark"), "{goal:?}");
}
