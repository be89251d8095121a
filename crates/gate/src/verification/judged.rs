//! Computes the status of a verification from the results of its checks.

use super::check::{Check, CheckKind, CheckStatus};
use super::regression::Regressed;
use super::verified::Status;

/// A condition for finished work. The user chooses which conditions are required.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Requirement {
    /// The project's acceptance commands pass.
    Acceptance,
    /// All tests pass.
    Tests,
    /// No test fails now that didn't fail in the last green verification. If tests ran in that
    /// verification, at least one must run now.
    NoRegressions,
    /// The agent's own to-do list is done.
    OpenTasks,
    /// The work is committed.
    Committed,
    /// The reviewer approved the work.
    Review,
}

impl Requirement {
    /// All requirements.
    pub const ALL: [Self; 6] = [
        Self::Acceptance,
        Self::Tests,
        Self::NoRegressions,
        Self::OpenTasks,
        Self::Committed,
        Self::Review,
    ];

    /// The name of the requirement in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Acceptance => "acceptance",
            Self::Tests => "tests",
            Self::NoRegressions => "no_regressions",
            Self::OpenTasks => "open_tasks",
            Self::Committed => "committed",
            Self::Review => "review",
        }
    }
}

/// Computes the status from the results of the checks. A failed check takes precedence over a check
/// that couldn't run.
///
/// The status is green only if every check for which [`counts`] is true passed or was skipped, and
/// at least one command ran. `regressed` is the comparison with the last green verification. If the
/// checks changed files (`changed`), the status is at most incomplete, because the current content
/// is no longer the checked content.
pub fn judge(
    checks: &[Check],
    regressed: &Regressed,
    changed: &[String],
    required: &[Requirement],
) -> Status {
    let of_checks = checks.iter().map(|check| match &check.status {
        CheckStatus::Passed | CheckStatus::Skipped { .. } => Status::Green,
        _ if !counts(check, required) => Status::Green,
        CheckStatus::Failed => Status::Red,
        CheckStatus::CouldNotRun { .. }
        | CheckStatus::TimedOut { .. }
        | CheckStatus::NotInDepth { .. } => Status::Incomplete,
    });
    let ran = |check: &Check| {
        check.kind.is_command() && matches!(check.status, CheckStatus::Passed | CheckStatus::Failed)
    };
    let none_ran = if checks.iter().any(ran) { Status::Green } else { Status::Incomplete };
    let regressed = match regressed {
        _ if !required.contains(&Requirement::NoRegressions) => Status::Green,
        Regressed::Nothing => Status::Green,
        Regressed::Tests(_) | Regressed::NoneRan { .. } => Status::Red,
        // Tests failed, but the names of the tests that fail now, or that failed before, are
        // unknown.
        Regressed::Unknown { .. } => Status::Incomplete,
    };
    let edited = if changed.is_empty() { Status::Green } else { Status::Incomplete };
    of_checks.chain([regressed, edited, none_ran]).fold(Status::Green, worse)
}

/// The status without live checks. Live checks are those of the agent's list, of commits and of the
/// review. Their results can change while the content stays the same.
pub fn judge_lasting(
    checks: &[Check],
    regressed: &Regressed,
    changed: &[String],
    required: &[Requirement],
) -> Status {
    let lasting: Vec<_> = checks.iter().filter(|check| !check.kind.is_live()).cloned().collect();
    judge(&lasting, regressed, changed, required)
}

fn worse(one: Status, other: Status) -> Status {
    match (one, other) {
        (Status::Red, _) | (_, Status::Red) => Status::Red,
        (Status::Incomplete, _) | (_, Status::Incomplete) => Status::Incomplete,
        (Status::Green, Status::Green) => Status::Green,
    }
}

/// Whether the result of a check may affect the status.
pub fn matters(check: &Check, required: &[Requirement]) -> bool {
    let may_regress =
        check.kind == CheckKind::Tests && required.contains(&Requirement::NoRegressions);
    may_regress || counts(check, required)
}

/// Whether the result of a check affects the status.
///
/// Commands always count, with two exceptions. Failed tests don't count if `verification.require`
/// lacks `tests`. Acceptance commands of a deeper verification don't count if it lacks
/// `acceptance`.
pub(super) fn counts(check: &Check, required: &[Requirement]) -> bool {
    let did_not_run = match check.status {
        CheckStatus::Failed | CheckStatus::NotInDepth { .. } => false,
        CheckStatus::Passed
        | CheckStatus::CouldNotRun { .. }
        | CheckStatus::TimedOut { .. }
        | CheckStatus::Skipped { .. } => true,
    };
    match check.kind {
        CheckKind::Tests if did_not_run => true,
        CheckKind::Acceptance if !matches!(check.status, CheckStatus::NotInDepth { .. }) => true,
        kind => is_required(kind, required),
    }
}

/// Whether a failed check of this kind affects the status.
pub(super) fn is_required(kind: CheckKind, required: &[Requirement]) -> bool {
    let requirement = match kind {
        CheckKind::StubMarkers | CheckKind::Lint | CheckKind::Format | CheckKind::Types => {
            return true;
        }
        CheckKind::GitState => Requirement::Committed,
        CheckKind::OpenTasks => Requirement::OpenTasks,
        CheckKind::Tests => Requirement::Tests,
        CheckKind::Acceptance => Requirement::Acceptance,
        CheckKind::Review => Requirement::Review,
    };
    required.contains(&requirement)
}
