//! Lists the next steps for an agent after a verification that isn't green.

use super::check::{Check, CheckKind, CheckStatus};
use super::judged::{Requirement, counts};
use super::regression::Regressed;

/// The beginning of the text of the last step, which names the command that verifies again.
const AGAIN: &str = "Then run `";

/// The step if files changed while the checks ran. The checked content is then no longer the
/// current content.
const CHANGED: &str = "Look at the files that changed while the checks ran, and keep or undo the \
                       changes. Replace a command that writes files with one that only checks.";

/// The maximum number of tests that a step names.
const MAX_NAMED: usize = 5;

/// The inputs of [`next_steps`] other than the checks.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The requirements that the user chose.
    pub required: &'a [Requirement],
    /// The comparison with the tests of the last green verification.
    pub regressed: &'a Regressed,
    /// Files that changed while the checks ran.
    pub changed: &'a [String],
    /// The step with which the agent can get a review of the work.
    pub review: &'a str,
    /// The command that verifies again.
    pub again: &'a str,
}

/// The agent's steps, in order. Empty if no check needs a change.
pub fn next_steps(checks: &[Check], about: Circumstances<'_>) -> Vec<String> {
    let mut steps = steps_to_green(checks, about);
    if !steps.is_empty() {
        steps.push(format!("{AGAIN}{}`.", about.again));
    }
    steps
}

/// Whether a step is the last one, which names the command that verifies again.
pub(super) fn is_again(step: &str) -> bool {
    step.starts_with(AGAIN)
}

/// The agent's steps without the last one, which names the command that verifies again.
pub(super) fn steps_to_green(checks: &[Check], about: Circumstances<'_>) -> Vec<String> {
    let mut steps: Vec<_> = checks
        .iter()
        .filter(|check| counts(check, about.required))
        .filter_map(|check| step_of(check, about.review))
        .collect();
    if about.required.contains(&Requirement::NoRegressions) {
        let tests_count = about.required.contains(&Requirement::Tests);
        steps.extend(step_of_regressions(about.regressed, tests_count));
    }
    if !about.changed.is_empty() {
        steps.push(CHANGED.to_owned());
    }
    steps
}

fn step_of(check: &Check, review: &str) -> Option<String> {
    let name = &check.name;
    let shows = match &check.command {
        Some(command) => format!("; `{command}` shows all of it"),
        None => String::new(),
    };
    Some(match (&check.status, check.kind) {
        (CheckStatus::Passed | CheckStatus::Skipped { .. }, _) => return None,
        (CheckStatus::CouldNotRun { why }, _) => format!("Make it possible to run {name}: {why}."),
        (CheckStatus::NotInDepth { needs }, _) => {
            format!("Run {name} too: pass `--depth {needs}` to `verger verify`.")
        }
        (CheckStatus::TimedOut { limit_seconds }, _) => format!(
            "Find out why {name} does not end within {limit_seconds} s{shows}. If it needs longer, a \
             person can raise verification.timeout_seconds."
        ),
        (CheckStatus::Failed, CheckKind::GitState) => "Commit the work.".to_owned(),
        (CheckStatus::Failed, CheckKind::OpenTasks) => {
            "Finish the open items of your list, or remove those that no longer apply.".to_owned()
        }
        (CheckStatus::Failed, CheckKind::StubMarkers) => {
            "Finish the unfinished code in the added lines.".to_owned()
        }
        (CheckStatus::Failed, CheckKind::Tests) => format!("Make the tests pass{shows}."),
        (CheckStatus::Failed, CheckKind::Review) => review.to_owned(),
        (
            CheckStatus::Failed,
            CheckKind::Lint | CheckKind::Format | CheckKind::Types | CheckKind::Acceptance,
        ) => format!("Fix what {name} found{shows}."),
    })
}

/// The step for regressions of tests. `tests_count` is whether failed tests already have their own
/// step.
fn step_of_regressions(regressed: &Regressed, tests_count: bool) -> Option<String> {
    match regressed {
        Regressed::Nothing => None,
        Regressed::NoneRan { before } => Some(format!(
            "Find out why no test runs any more, and make them run: {before} tests ran in the last green \
             verification."
        )),
        Regressed::Tests(_) | Regressed::Unknown { .. } if tests_count => None,
        Regressed::Tests(names) => Some(format!(
            "Make these tests pass, which did not fail in the last green verification: {}.",
            named(names)
        )),
        Regressed::Unknown { why } => Some(format!(
            "Make all tests pass: verger cannot tell which of them passed before ({why})."
        )),
    }
}

fn named(names: &[String]) -> String {
    let first = names.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: &Regressed = &Regressed::Nothing;

    fn failed(kind: CheckKind, command: Option<&str>) -> Check {
        Check {
            name: format!("{} (x)", kind.words()),
            kind,
            command: command.map(str::to_owned),
            status: CheckStatus::Failed,
            took_millis: 1,
            summary: String::new(),
        }
    }

    fn steps(checks: &[Check], required: &[Requirement], regressed: &Regressed) -> Vec<String> {
        let about = Circumstances {
            required,
            regressed,
            changed: &[],
            review: "Have it reviewed.",
            again: "verger verify",
        };
        next_steps(checks, about)
    }

    #[test]
    fn every_kind_of_failure_has_its_step() {
        let checks: Vec<_> = CheckKind::ALL
            .into_iter()
            .map(|kind| failed(kind, kind.is_command().then_some("do it")))
            .collect();
        let expected = [
            "Commit the work.",
            "Finish the open items of your list, or remove those that no longer apply.",
            "Finish the unfinished code in the added lines.",
            "Fix what lint (x) found; `do it` shows all of it.",
            "Fix what format (x) found; `do it` shows all of it.",
            "Fix what types (x) found; `do it` shows all of it.",
            "Make the tests pass; `do it` shows all of it.",
            "Fix what acceptance (x) found; `do it` shows all of it.",
            "Have it reviewed.",
            "Then run `verger verify`.",
        ];
        assert_eq!(steps(&checks, &Requirement::ALL, NOTHING), expected);
        let lasting: Vec<_> =
            expected[2..6].iter().chain([&expected[7], &expected[9]]).copied().collect();
        assert_eq!(steps(&checks, &[], NOTHING), lasting, "what nobody requires is no step");
    }

    #[test]
    fn checks_that_could_not_run_or_timed_out_have_a_step() {
        let could_not = CheckStatus::CouldNotRun { why: "there is no program \"ruff\"".to_owned() };
        let slow = CheckStatus::TimedOut { limit_seconds: 900 };
        let checks = [could_not, slow, CheckStatus::Passed]
            .map(|status| Check { status, ..failed(CheckKind::Lint, Some("ruff")) });
        let expected = [
            "Make it possible to run lint (x): there is no program \"ruff\".",
            "Find out why lint (x) does not end within 900 s; `ruff` shows all of it. If it needs \
             longer, a person can raise verification.timeout_seconds.",
            "Then run `verger verify`.",
        ];
        assert_eq!(steps(&checks, &[], NOTHING), expected);
    }

    #[test]
    fn regressions_are_a_step_where_not_all_tests_have_to_pass() {
        let checks = [failed(CheckKind::Tests, None)];
        let names = |count: usize| (0..count).map(|number| format!("t{number}")).collect();
        let only = [Requirement::NoRegressions];
        let first = |regressed| steps(&checks, &only, &regressed).first().cloned();
        assert_eq!(first(Regressed::Nothing), None);
        let told = "Make these tests pass, which did not fail in the last green verification: t0, t1, t2, \
                    t3, t4 and 2 more.";
        assert_eq!(first(Regressed::Tests(names(7))).as_deref(), Some(told));
        let told = "Make all tests pass: verger cannot tell which of them passed before (why).";
        let unknown = Regressed::Unknown { why: "why".to_owned() };
        assert_eq!(first(unknown.clone()).as_deref(), Some(told));
        let both = [Requirement::NoRegressions, Requirement::Tests];
        let told = ["Make the tests pass.", "Then run `verger verify`."];
        assert_eq!(steps(&checks, &both, &unknown), told);
        let told = "Find out why no test runs any more, and make them run: 212 tests ran in the last green \
                    verification.";
        let none_ran = Regressed::NoneRan { before: 212 };
        assert_eq!(first(none_ran.clone()).as_deref(), Some(told));
        let passed = Check { status: CheckStatus::Passed, ..failed(CheckKind::Tests, None) };
        let expected = [told, "Then run `verger verify`."];
        assert_eq!(steps(std::slice::from_ref(&passed), &both, &none_ran), expected);
        assert_eq!(steps(&[passed], &[Requirement::Tests], &none_ran), [""; 0]);
    }

    #[test]
    fn files_that_changed_meanwhile_are_a_step() {
        let changed = ["a.rs".to_owned()];
        let about = Circumstances {
            required: &[],
            regressed: NOTHING,
            changed: &changed,
            review: "",
            again: "verger verify",
        };
        let expected = [CHANGED, "Then run `verger verify`."];
        assert_eq!(next_steps(&[], about), expected);
    }
}
