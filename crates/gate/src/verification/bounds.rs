//! Limits the size of a stored verification. Its texts come from programs of the project. So
//! control characters are removed, texts are cut and lists are shortened. The result always fits
//! into one record.

use verger_event::tamed;

use super::check::{Check, CheckStatus};
use super::verified::{FailingTests, Issue, MAX_VERIFIED_BYTES, Verified};

const MAX_CHECKS: usize = 16;
const MAX_ISSUES: usize = 50;
const MAX_NEXT_STEPS: usize = 12;
const MAX_FAILING_TESTS: usize = 200;
const MAX_CHANGED_PATHS: usize = 10;

const MAX_NAME_BYTES: usize = 64;
const MAX_PATH_BYTES: usize = 240;
const MAX_TEXT_BYTES: usize = 200;

/// The maximum number of bytes of the JSON of a verification in a session's state, and the maximum
/// lengths of its lists.
const MAX_REMEMBERED_BYTES: usize = 8 * 1024;
const MAX_REMEMBERED_ISSUES: usize = 10;
const MAX_REMEMBERED_STEPS: usize = 5;
const MAX_REMEMBERED_TESTS_BYTES: usize = 2 * 1024;

pub(super) fn bounded(verified: Verified) -> Verified {
    let Verified { checks, mut issues, next_steps, failing_tests, mut tree_changed, .. } = verified;
    let too_many = issues.len().saturating_sub(MAX_ISSUES);
    issues.truncate(MAX_ISSUES);
    tree_changed.truncate(MAX_CHANGED_PATHS);
    let verified = Verified {
        run: cut(&verified.run, MAX_NAME_BYTES),
        plan: verified.plan.as_deref().map(|plan| cut(plan, MAX_NAME_BYTES)),
        checks: checks.into_iter().take(MAX_CHECKS).map(bounded_check).collect(),
        issues: issues.into_iter().map(bounded_issue).collect(),
        more_issues: verified.more_issues.saturating_add(too_many as u64),
        next_steps: next_steps.iter().take(MAX_NEXT_STEPS).map(|step| text(step)).collect(),
        failing_tests: bounded_names(failing_tests),
        tree_changed: tree_changed.iter().map(|path| cut(path, MAX_PATH_BYTES)).collect(),
        ..verified
    };
    fitted(verified, MAX_VERIFIED_BYTES)
}

/// A shorter form of a verification for the session's state, without the parts that the gate
/// doesn't use.
pub(super) fn remembered(verified: Verified) -> Verified {
    let mut kept = bounded(verified);
    let too_many = kept.issues.len().saturating_sub(MAX_REMEMBERED_ISSUES);
    kept.issues.truncate(MAX_REMEMBERED_ISSUES);
    kept.more_issues = kept.more_issues.saturating_add(too_many as u64);
    kept.next_steps.truncate(MAX_REMEMBERED_STEPS);
    for check in &mut kept.checks {
        if matches!(check.status, CheckStatus::Passed | CheckStatus::Skipped { .. }) {
            check.command = None;
        }
        check.summary = String::new();
    }
    kept.failing_tests = remembered_tests(kept.failing_tests);
    fitted(kept, MAX_REMEMBERED_BYTES)
}

fn remembered_tests(failing: FailingTests) -> FailingTests {
    match failing {
        FailingTests::Named { names }
            if names.iter().map(String::len).sum::<usize>() > MAX_REMEMBERED_TESTS_BYTES =>
        {
            too_many()
        }
        failing => failing,
    }
}

/// Shortens a verification until its JSON has at most `max_bytes`. Limits for its parts aren't
/// enough, because JSON escapes quotes and backslashes with an additional byte.
fn fitted(mut verified: Verified, max_bytes: usize) -> Verified {
    let fits = |verified: &Verified| {
        serde_json::to_vec(verified).is_ok_and(|json| json.len() <= max_bytes)
    };
    if fits(&verified) {
        return verified;
    }
    while !fits(&verified) && !verified.issues.is_empty() {
        let kept = verified.issues.len() / 2;
        verified.more_issues += (verified.issues.len() - kept) as u64;
        verified.issues.truncate(kept);
    }
    if !fits(&verified) {
        verified.failing_tests = too_many();
    }
    while !fits(&verified)
        && (verified.next_steps.pop().is_some() || verified.checks.pop().is_some())
    {}
    verified
}

fn bounded_check(check: Check) -> Check {
    Check {
        name: cut(&check.name, MAX_NAME_BYTES),
        command: check.command.map(|command| text(&command)),
        status: match check.status {
            CheckStatus::CouldNotRun { why } => CheckStatus::CouldNotRun { why: text(&why) },
            CheckStatus::Skipped { why } => CheckStatus::Skipped { why: text(&why) },
            status => status,
        },
        summary: text(&check.summary),
        ..check
    }
}

fn bounded_issue(issue: Issue) -> Issue {
    Issue {
        check: cut(&issue.check, MAX_NAME_BYTES),
        path: issue.path.map(|path| cut(&path, MAX_PATH_BYTES)),
        text: text(&issue.text),
        ..issue
    }
}

/// Replaces a list of names that is too long by [`FailingTests::Unknown`]. A name that is too long
/// isn't cut, because the cut name could be that of another test.
fn bounded_names(failing: FailingTests) -> FailingTests {
    match failing {
        FailingTests::Unknown { why } => FailingTests::Unknown { why: text(&why) },
        FailingTests::Named { names } => {
            let fits = |name: &String| name.len() <= MAX_PATH_BYTES;
            if names.len() > MAX_FAILING_TESTS || !names.iter().all(fits) {
                return too_many();
            }
            FailingTests::Named { names: names.iter().map(|name| tamed(name)).collect() }
        }
    }
}

fn too_many() -> FailingTests {
    FailingTests::Unknown { why: "too many tests failed to record their names".to_owned() }
}

fn text(text: &str) -> String {
    cut(text, MAX_TEXT_BYTES)
}

fn cut(text: &str, max_bytes: usize) -> String {
    // `tamed` may replace a character by one with more bytes, so the length is checked again.
    let tamed = tamed(&text[..text.floor_char_boundary(max_bytes + 1)]);
    if text.len() <= max_bytes && tamed.len() <= max_bytes {
        return tamed;
    }
    format!("{}…", &tamed[..tamed.floor_char_boundary(max_bytes - '…'.len_utf8())])
}
