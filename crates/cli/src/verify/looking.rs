//! The checks that verger makes itself, without a program.

use verger_engine::State;
use verger_engine::{Amount, FactFinder, review_policy};
use verger_gate::Work;
use verger_gate::review;
use verger_gate::verification::own_checks::{self, OpenTask, ReviewStands};
use verger_gate::verification::{Came, CheckKind, Requirement, Risk, risks};
use verger_store::{Store, with_causes};

use super::target::{Target, TargetOf};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

/// The inputs of verger's own checks.
pub(crate) struct Looking<'a, S> {
    pub(crate) store: &'a S,
    pub(crate) facts: FactFinder,
    pub(crate) work: Work,
    pub(crate) amount: Amount,
}

/// The reason why the checks of a session's state are left out.
pub(crate) const NO_SESSION: &str = "not applicable: no session";

impl<'a, S: Store> Looking<'a, S> {
    /// Measures the current work.
    pub(crate) fn begin(
        context: &Context,
        store: &'a S,
        target: &Target,
    ) -> Result<Self, CommandError> {
        let (facts, work) = target.facts(context, store)?;
        let cwd = target.session().and_then(|session| session.state.session.cwd.clone());
        let cwd = cwd.as_deref().or(target.root.to_str());
        let amount = facts.amount(&work, cwd)?;
        Ok(Self { store, facts, work, amount })
    }

    /// Makes one of verger's own checks.
    pub(crate) fn look(&self, target: &Target, kind: CheckKind) -> Came {
        let came = match (kind, &target.of) {
            (CheckKind::GitState, _) => self.git_state(target),
            (CheckKind::StubMarkers, _) => self.stub_markers(),
            (CheckKind::OpenTasks, TargetOf::Session { session, .. }) => {
                Ok(open_tasks(&session.state))
            }
            (CheckKind::Review, TargetOf::Session { session, .. }) => {
                Ok(self.review(target, &session.state))
            }
            (CheckKind::OpenTasks | CheckKind::Review, TargetOf::Nobody { .. }) => {
                Ok(own_checks::skipped(NO_SESSION))
            }
            (
                CheckKind::Lint
                | CheckKind::Format
                | CheckKind::Types
                | CheckKind::Tests
                | CheckKind::Acceptance,
                _,
            ) => Ok(own_checks::skipped("verger has no built-in check for this")),
        };
        came.unwrap_or_else(|why| own_checks::could_not(&why))
    }

    /// Checks the state of git. In a session, only the session's own work counts. Without a
    /// session, all work counts.
    fn git_state(&self, target: &Target) -> Result<Came, String> {
        if target.session().is_some() {
            let committed = self.facts.committed(&target.root, &self.amount);
            return committed.map_err(|unknown| with_causes(&unknown));
        }
        let uncommitted = self.facts.uncommitted(&target.root);
        Ok(match uncommitted.map_err(|unknown| with_causes(&unknown))? {
            Some(files) => own_checks::git_state(&files.into_iter().collect::<Vec<_>>(), &[]),
            None => own_checks::skipped("this directory is not under version control"),
        })
    }

    /// The risks that require a deeper verification. Work that can't be measured has no risks.
    pub(crate) fn risks(&self, target: &Target) -> Vec<Risk> {
        let gate = target.session().map(|session| session.state.verification.clone());
        let extent = self.facts.extent(&self.work, &self.amount).unwrap_or_default();
        risks(&gate.unwrap_or_default(), extent.extent())
    }

    fn stub_markers(&self) -> Result<Came, String> {
        match self.facts.added_stubs(&self.work, &self.amount) {
            None => Ok(own_checks::skipped("without version control the added lines are unknown")),
            Some(Err(unknown)) => Err(with_causes(&unknown)),
            Some(Ok(found)) => Ok(own_checks::stub_markers(found.stubs, &found.not_looked_at)),
        }
    }

    fn review(&self, target: &Target, state: &State) -> Came {
        let is_required = target.policy().required.contains(&Requirement::Review)
            || review_policy(target.settings()).mode == review::Mode::Always;
        let content = &self.amount.content;
        own_checks::review(ReviewStands::of(&state.review, content, is_required))
    }
}

fn open_tasks(state: &State) -> Came {
    let todos = &state.learning.todos;
    let task =
        |id: &str| OpenTask { id: id.to_owned(), subject: todos.subject(id).map(str::to_owned) };
    own_checks::open_tasks(&todos.open_ids().map(task).collect::<Vec<_>>())
}
