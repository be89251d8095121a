//! What the checks of a verification come to.

use super::check::{Check, CheckKind, CheckStatus};
use super::regression::Regressed;
use super::verified::Status;

/// Something that must be well before work counts as done; each is the user's to want or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Requirement {
    /// The project's acceptance commands pass.
    Acceptance,
    /// All tests pass.
    Tests,
    /// No test fails that did not fail in the last green verification, and some run if some did.
    NoRegressions,
    /// The agent's own list is done.
    OpenTasks,
    /// The work is committed.
    Committed,
    /// The reviewer approved.
    Review,
}

impl Requirement {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Acceptance,
        Self::Tests,
        Self::NoRegressions,
        Self::OpenTasks,
        Self::Committed,
        Self::Review,
    ];

    /// The word for it.
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

/// What checks come to. What is wrong counts before what could not be looked at.
///
/// Lint, format, types and stubs always count; the others where they are required. `regressed` is what
/// became of the tests of the last green verification; `changed` are the files that the checks
/// themselves changed: what was looked at is then not what is there.
pub fn judge(
    checks: &[Check],
    regressed: &Regressed,
    changed: &[String],
    required: &[Requirement],
) -> Status {
    let of_checks = checks.iter().map(|check| match &check.status {
        CheckStatus::Passed | CheckStatus::Skipped { .. } => Status::Green,
        _ if !counts(check.kind, required) => Status::Green,
        CheckStatus::Failed => Status::Red,
        CheckStatus::CouldNotRun { .. } | CheckStatus::TimedOut { .. } => Status::Unfinished,
    });
    let regressed = match regressed {
        _ if !required.contains(&Requirement::NoRegressions) => Status::Green,
        Regressed::Nothing => Status::Green,
        Regressed::Tests(_) | Regressed::NoneRan { .. } => Status::Red,
        // Tests failed, and nobody can say which, or which did before.
        Regressed::Unknown { .. } => Status::Unfinished,
    };
    let edited = if changed.is_empty() { Status::Green } else { Status::Unfinished };
    of_checks.chain([regressed, edited]).fold(Status::Green, worse)
}

/// The same without what can change while the content stays: the agent's list, commits and the
/// review.
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
        (Status::Unfinished, _) | (_, Status::Unfinished) => Status::Unfinished,
        (Status::Green, Status::Green) => Status::Green,
    }
}

/// Whether what a check of this kind finds may decide.
pub fn matters(kind: CheckKind, required: &[Requirement]) -> bool {
    let may_regress = kind == CheckKind::Tests && required.contains(&Requirement::NoRegressions);
    may_regress || counts(kind, required)
}

/// Whether a check of this kind decides.
pub(super) fn counts(kind: CheckKind, required: &[Requirement]) -> bool {
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
