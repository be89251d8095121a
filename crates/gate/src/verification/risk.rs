//! Finds the risks because of which a verification must be deeper than the user's setting.

mod security_paths;

use std::fmt;

use super::Depth;
use super::check::{Check, CheckKind, CheckStatus};
use super::verified::Verified;
use super::{Trouble, Verification, WatchedKind};
use security_paths::is_security_relevant;

/// The maximum number of changed files. A change of more files is a risk.
const MAX_FILES: usize = 10;
/// The maximum number of added and removed lines. A change of more lines is a risk.
const MAX_LINES: u64 = 500;

/// The files and lines that a task changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent<'a> {
    /// The changed files, as paths below the project's root.
    pub files: &'a [String],
    /// The number of added and removed lines. `None` if they couldn't be counted.
    pub lines: Option<u64>,
}

/// A risk that requires a deeper verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Risk {
    /// The task changed this many files.
    ManyFiles(usize),
    /// The task added and removed this many lines.
    ManyLines(u64),
    /// Tests failed in the current task. Either they failed in the last verification, or in a test
    /// command of the agent that didn't succeed since.
    TestFailure,
    /// The task changed this security-relevant file.
    SecurityPath(String),
    /// There was trouble with verifications in an earlier task of the session.
    EarlierProblem,
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ManyFiles(count) => write!(f, "{count} files changed"),
            Self::ManyLines(count) => write!(f, "{count} lines changed"),
            Self::TestFailure => f.write_str("tests failed"),
            Self::SecurityPath(path) => write!(f, "{path} is relevant for security"),
            Self::EarlierProblem => f.write_str(
                "in an earlier task of this session, a verification was not green or unverified \
                     work was released",
            ),
        }
    }
}

/// The risks of the current task.
pub fn risks(gate: &Verification, extent: Extent<'_>) -> Vec<Risk> {
    let Extent { files, lines } = extent;
    let many_files = (files.len() > MAX_FILES).then_some(Risk::ManyFiles(files.len()));
    let many_lines = lines.filter(|lines| *lines > MAX_LINES).map(Risk::ManyLines);
    let failed = gate.failures.iter().any(|failure| failure.kind == WatchedKind::Tests)
        || gate.last.as_ref().is_some_and(|ended| tests_failed(&ended.verified));
    let security = files.iter().find(|path| is_security_relevant(path));
    let security = security.map(|path| Risk::SecurityPath(path.clone()));
    let earlier = gate.trouble == Trouble::Before;
    [
        many_files,
        many_lines,
        failed.then_some(Risk::TestFailure),
        security,
        earlier.then_some(Risk::EarlierProblem),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn tests_failed(verified: &Verified) -> bool {
    let failed =
        |check: &Check| check.kind == CheckKind::Tests && check.status == CheckStatus::Failed;
    verified.checks.iter().any(failed)
}

/// The depth that the verification needs. Each risk raises the user's depth by one level.
pub fn wanted_depth(configured: Depth, risks: &[Risk]) -> Depth {
    risks.iter().fold(configured, |depth, _| depth.deeper())
}

#[cfg(test)]
mod tests {
    use verger_event::Timestamp;

    use super::super::tests::built::{check, verified};
    use super::super::{Change, ReleasedBy, Status};
    use super::*;

    const AT: Timestamp = Timestamp::from_millis(0);

    fn paths(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("src/module_{number}.rs")).collect()
    }

    fn of(gate: &Verification, files: &[String], lines: Option<u64>) -> Vec<Risk> {
        risks(gate, Extent { files, lines })
    }

    #[test]
    fn a_change_is_large_above_the_limit() {
        let calm = Verification::default();
        for (files, lines, expected) in [
            (0, Some(0), vec![]),
            (10, Some(500), vec![]),
            (11, Some(500), vec![Risk::ManyFiles(11)]),
            (10, Some(501), vec![Risk::ManyLines(501)]),
            (11, Some(501), vec![Risk::ManyFiles(11), Risk::ManyLines(501)]),
            (1, None, vec![]),
        ] {
            assert_eq!(of(&calm, &paths(files), lines), expected, "{files} {lines:?}");
        }
        let files = vec!["src/a.rs".to_owned(), "src/auth/login.rs".to_owned()];
        let expected = vec![Risk::SecurityPath("src/auth/login.rs".to_owned())];
        assert_eq!(of(&calm, &files, Some(1)), expected);
    }

    #[test]
    fn failed_tests_count_until_they_succeed_and_problems_from_the_next_task_on() {
        let failed = |kind| Change::Failed { what: "cargo test".to_owned(), kind };
        let folded = |changes: &[Change]| {
            let mut gate = Verification::default();
            for change in changes {
                gate.apply(change, AT);
            }
            gate
        };
        let boxed = |verified| Change::Verified { verified: Box::new(verified) };
        let red = verified("c1", Depth::Quick, Status::Red);
        // Without the requirement `tests`, the verification is green although tests failed.
        let failing = Verified {
            checks: vec![check(CheckKind::Tests, CheckStatus::Failed)],
            ..verified("c1", Depth::Deep, Status::Green)
        };
        let green = verified("c1", Depth::Deep, Status::Green);
        let released = Change::Released { by: ReleasedBy::Breaker, reason: None };
        let by_person = Change::Released { by: ReleasedBy::Person, reason: None };
        let succeeded = Change::Succeeded { what: "cargo test".to_owned() };
        for (changes, now, next) in [
            (vec![failed(WatchedKind::Tests)], vec![Risk::TestFailure], vec![]),
            (vec![failed(WatchedKind::Build)], vec![], vec![]),
            (vec![failed(WatchedKind::Tests), succeeded], vec![], vec![]),
            (vec![boxed(red)], vec![], vec![Risk::EarlierProblem]),
            (vec![boxed(failing.clone())], vec![Risk::TestFailure], vec![]),
            (vec![boxed(failing), boxed(green)], vec![], vec![]),
            (vec![released], vec![], vec![Risk::EarlierProblem]),
            (vec![by_person], vec![], vec![]),
        ] {
            let mut gate = folded(&changes);
            assert_eq!(of(&gate, &[], Some(0)), now, "{changes:?}");
            gate.begin_task();
            assert_eq!(of(&gate, &[], Some(0)), next, "{changes:?}");
            let troubled = gate.trouble == Trouble::Before;
            assert_eq!(troubled, !next.is_empty());
        }
    }

    #[test]
    fn each_risk_makes_it_one_level_deeper_and_deep_is_the_end() {
        let [quick, standard, deep] = Depth::ALL;
        let risks = vec![
            Risk::TestFailure,
            Risk::EarlierProblem,
            Risk::ManyFiles(11),
            Risk::ManyLines(501),
            Risk::SecurityPath("Cargo.lock".to_owned()),
        ];
        for (configured, expected) in [
            (quick, [quick, standard, deep, deep, deep, deep]),
            (standard, [standard, deep, deep, deep, deep, deep]),
            (deep, [deep; 6]),
        ] {
            let told = [0, 1, 2, 3, 4, 5].map(|count| wanted_depth(configured, &risks[..count]));
            assert_eq!(told, expected);
        }
        // Every kind of risk raises the depth by one level.
        for one in risks {
            assert_eq!(wanted_depth(quick, &[one]), standard);
        }
    }
}
