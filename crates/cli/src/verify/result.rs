//! The result of all checks together, in the form that is stored and displayed.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use verger_event::ContentHash;
use verger_gate::review::message::Reviewer;
use verger_gate::verification::plan::{PlannedCheck, Way, command_line};
use verger_gate::verification::reading::{all_failing, all_ran};
use verger_gate::verification::{
    Came, Check, CheckKind, CheckStatus, Circumstances, Comparison, FailingTests, Issue, Regressed,
    Requirement, Status, TestRun, Verified, judge, judge_lasting, matters, next_steps,
};
use verger_store::Store;

use super::target::{Plan, Target};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

/// The output of a run of checks, for the commands that wait for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunResult {
    pub(crate) verified: Verified,
    /// Whether the result is recorded in the log.
    pub(crate) is_recorded: bool,
}

/// Completed checks, in order.
#[derive(Debug, Default)]
pub(crate) struct Made {
    checks: Vec<Check>,
    issues: Vec<Issue>,
    more_issues: u64,
    failing: Vec<FailingTests>,
    /// For each check that runs tests, the number of tests that ran.
    ran: Vec<Option<u64>>,
}

/// The facts about a run, without its checks.
pub(crate) struct About<'a> {
    pub(crate) run: String,
    pub(crate) plan: &'a Plan,
    pub(crate) content: ContentHash,
    /// The tests of the last green verification that ran tests, if there is one.
    pub(crate) before: Option<TestRun>,
    /// Files that changed since the checks began.
    pub(crate) changed: Vec<String>,
}

impl Made {
    /// The checks of an earlier run whose results can only change with the content.
    pub(crate) fn lasting_of(verified: &Verified) -> Self {
        let is_live = |name: &String| {
            verified.checks.iter().any(|check| check.name == *name && check.kind.is_live())
        };
        let issues = verified.issues.iter().filter(|issue| !is_live(&issue.check));
        Self {
            checks: verified.checks.iter().filter(|check| !check.kind.is_live()).cloned().collect(),
            issues: issues.cloned().collect(),
            more_issues: verified.more_issues,
            failing: vec![verified.failing_tests.clone()],
            ran: vec![verified.ran_tests],
        }
    }

    pub(crate) fn add(&mut self, planned: &PlannedCheck, came: Came, took: Duration) {
        let command = match &planned.way {
            Way::Command { argv, .. } => Some(command_line(argv)),
            Way::Own | Way::Missing { .. } | Way::NotInDepth { .. } | Way::Skipped { .. } => None,
        };
        if planned.kind == CheckKind::Tests {
            self.failing.push(came.failing_tests);
            self.ran.push(came.ran_tests);
        }
        self.issues.extend(came.issues);
        self.checks.push(Check {
            name: planned.name.clone(),
            kind: planned.kind,
            command,
            status: came.status,
            took_millis: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            summary: came.summary,
        });
    }

    /// Whether tests ran whose results can be compared with the last green run.
    pub(crate) fn ran_tests(&self) -> bool {
        !self.failing.is_empty()
    }

    /// The result of the checks.
    pub(crate) fn verified(
        mut self,
        context: &Context,
        target: &Target,
        about: About<'_>,
    ) -> Result<Verified, CommandError> {
        // Sorts into the order in which checks are made, because some checks are from an earlier
        // run.
        self.checks.sort_by_key(|check| check.kind);
        let About { run, plan, content, before, changed } = about;
        let tests = TestRun {
            failing: all_failing(std::mem::take(&mut self.failing)),
            ran: all_ran(&self.ran),
        };
        let required = target.policy().required;
        let regressed = Regressed::of(&self.checks, &tests, before.as_ref());
        let is_regression = matches!(regressed, Regressed::NoneRan { .. })
            && required.contains(&Requirement::NoRegressions);
        if !is_regression {
            tests.mark_empty(&mut self.checks);
        }
        let status = judge(&self.checks, &regressed, &changed, &required);
        let lasting = judge_lasting(&self.checks, &regressed, &changed, &required);
        self.issues.retain(|issue| is_wrong(issue, &self.checks, &required));
        let no_regressions = required
            .contains(&Requirement::NoRegressions)
            .then(|| regressed.comparison(&self.checks, before.as_ref()));
        self.tell_regressions(&regressed, no_regressions.as_ref(), &required);
        self.tell_fewer(tests.fewer_than(before.as_ref()));
        let circumstances = Circumstances {
            required: &required,
            regressed: &regressed,
            changed: &changed,
            review: &review_step(context, target)?,
            again: &target.command(plan.depth),
        };
        let next_steps = match status {
            Status::Green => vec![],
            Status::Red | Status::Incomplete => next_steps(&self.checks, circumstances),
        };
        Ok(Verified {
            run,
            depth: plan.depth,
            content,
            status,
            lasting: Some(lasting).filter(|lasting| *lasting != status),
            checks: self.checks,
            issues: self.issues,
            more_issues: self.more_issues,
            next_steps,
            failing_tests: tests.failing,
            ran_tests: tests.ran,
            tree_changed: changed,
            no_regressions,
            plan: Some(plan.name.clone()),
        })
    }

    /// Adds an issue for regressions. If all tests must pass, every failure is an issue anyway.
    fn tell_regressions(
        &mut self,
        regressed: &Regressed,
        compared: Option<&Comparison>,
        required: &[Requirement],
    ) {
        let is_told = match regressed {
            Regressed::Nothing => true,
            Regressed::NoneRan { .. } => false,
            Regressed::Tests(_) | Regressed::Unknown { .. } => {
                required.contains(&Requirement::Tests)
            }
        };
        let Some(compared) = compared.filter(|_| !is_told) else { return };
        let (check, text) = (CheckKind::Tests.words().to_owned(), compared.summary.clone());
        self.issues.insert(0, Issue { check, path: None, line: None, text });
    }

    /// Adds the note to the first passed check with tests. A smaller number of tests is not an
    /// issue.
    fn tell_fewer(&mut self, note: Option<String>) {
        let is_plain = |check: &&mut Check| {
            check.kind == CheckKind::Tests && check.status == CheckStatus::Passed
        };
        if let (Some(note), Some(check)) = (note, self.checks.iter_mut().find(is_plain)) {
            check.summary = note;
        }
    }
}

/// Whether a finding is an issue. Findings of a check that is not required are not, because the
/// check's own line shows the failure.
fn is_wrong(issue: &Issue, checks: &[Check], required: &[Requirement]) -> bool {
    let check = checks.iter().find(|check| check.name == issue.check);
    check.is_none_or(|check| matters(check, required))
}

fn review_step(context: &Context, target: &Target) -> Result<String, CommandError> {
    let Some(session) = target.session() else { return Ok(String::new()) };
    Ok(match session.reviewer(context)? {
        Reviewer::Subagent { agent_type } => {
            format!("Have the work reviewed: start the subagent `{agent_type}`.")
        }
        Reviewer::Command => {
            let id = session.key.session.word();
            format!("Have the work reviewed: run `verger review run --session {id}`.")
        }
        Reviewer::Missing => {
            "Have the work reviewed: a person has to set review.reviewer first.".to_owned()
        }
    })
}

/// Redacts the result before it is written, because programs may print secrets.
pub(crate) fn redacted(store: &impl Store, verified: Verified) -> Verified {
    let text = |text: String| store.redacted(&text).into_owned();
    let texts = |texts: Vec<String>| texts.into_iter().map(text).collect::<Vec<_>>();
    let status = |status| match status {
        CheckStatus::CouldNotRun { why } => CheckStatus::CouldNotRun { why: text(why) },
        CheckStatus::Skipped { why } => CheckStatus::Skipped { why: text(why) },
        other => other,
    };
    Verified {
        checks: verified
            .checks
            .into_iter()
            .map(|check| Check {
                command: check.command.map(text),
                status: status(check.status),
                summary: text(check.summary),
                ..check
            })
            .collect(),
        issues: verified
            .issues
            .into_iter()
            .map(|issue| Issue { path: issue.path.map(text), text: text(issue.text), ..issue })
            .collect(),
        next_steps: texts(verified.next_steps),
        failing_tests: match verified.failing_tests {
            FailingTests::Named { names } => FailingTests::Named { names: texts(names) },
            FailingTests::Unknown { why } => FailingTests::Unknown { why: text(why) },
        },
        tree_changed: texts(verified.tree_changed),
        no_regressions: verified.no_regressions.map(|compared| Comparison {
            status: status(compared.status),
            summary: text(compared.summary),
        }),
        ..verified
    }
}
