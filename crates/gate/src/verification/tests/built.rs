//! Values that the tests share.

use verger_event::ContentHash;

use super::super::*;

pub(crate) fn check(kind: CheckKind, status: CheckStatus) -> Check {
    let name = kind.words().to_owned();
    let summary = "a line".to_owned();
    Check { name, kind, command: None, status, took_millis: 7, summary }
}

pub(super) fn could_not_run() -> CheckStatus {
    CheckStatus::CouldNotRun { why: "no such program".to_owned() }
}

pub(super) fn named(names: &[&str]) -> FailingTests {
    FailingTests::Named { names: names.iter().map(|name| (*name).to_owned()).collect() }
}

pub(super) fn issue(text: &str) -> Issue {
    let path = Some("src/save.rs".to_owned());
    Issue { check: "lint".to_owned(), path, line: Some(3), text: text.to_owned() }
}

pub(crate) fn verified(content: &str, profile: Profile, status: Status) -> Verified {
    Verified {
        run: "r1".to_owned(),
        profile,
        content: ContentHash::new(content),
        status,
        lasting: None,
        checks: vec![],
        issues: vec![],
        more_issues: 0,
        next_steps: vec![],
        failing_tests: FailingTests::none(),
        tree_changed: vec![],
        plan: None,
    }
}
