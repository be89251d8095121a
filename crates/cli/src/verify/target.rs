//! The target of a verification: the work of a session, or the uncommitted work in a project.

use std::path::{Path, PathBuf};

use verger_config::Settings;
use verger_engine::{
    FactFinder, LoadedSettings, load_settings, verification_plan, verification_policy,
    work_directory,
};
use verger_gate::Work;
use verger_gate::verification::message::verify_command;
use verger_gate::verification::plan::{PlannedCheck, plan_name};
use verger_gate::verification::{CheckKind, Depth, Policy, Requirement};
use verger_store::{SegmentName, Store};
use verger_worktree::root_within;

use crate::invocation::command_error::{CommandError, NoDirectory};
use crate::invocation::context::Context;
use crate::sessions::gated::GatedSession;
use crate::sessions::picker::Meant;

/// The work that is verified.
pub(crate) struct Target {
    pub(crate) of: TargetOf,
    /// The directory in which the project's commands run.
    pub(crate) root: PathBuf,
}

/// Where the work comes from.
pub(crate) enum TargetOf {
    /// The work of a session.
    Session { segment: SegmentName, session: Box<GatedSession> },
    /// Work without a known session: all changes in the working tree.
    Nobody { loaded: Box<LoadedSettings> },
}

/// The checks of a depth, and the plan's name.
pub(crate) struct Plan {
    pub(crate) depth: Depth,
    pub(crate) checks: Vec<PlannedCheck>,
    pub(crate) name: String,
}

impl Target {
    /// The given session. Without one, the project.
    pub(crate) fn meant(
        context: &Context,
        store: &impl Store,
        meant: Meant,
    ) -> Result<Self, CommandError> {
        match meant {
            Meant::None => Self::of_project(context, &context.project_root()?),
            meant => Self::of_session(context, store, meant.required()?),
        }
    }

    pub(crate) fn of_session(
        context: &Context,
        store: &impl Store,
        segment: SegmentName,
    ) -> Result<Self, CommandError> {
        let session = Box::new(GatedSession::look_up(context, store, &segment)?);
        let root = root_of(&session)?;
        Ok(Self { of: TargetOf::Session { segment, session }, root })
    }

    pub(crate) fn of_project(context: &Context, root: &Path) -> Result<Self, CommandError> {
        let root = root.canonicalize().map_err(|_| NoDirectory)?;
        let loaded = load_settings(&context.home()?, Some(&root), &context.environment).into();
        Ok(Self { of: TargetOf::Nobody { loaded }, root })
    }

    /// Reads the session's current state.
    pub(crate) fn refresh(&mut self, store: &impl Store) -> Result<(), CommandError> {
        if let TargetOf::Session { session, .. } = &mut self.of {
            session.state = store.folded(&session.key.file_stem())?;
        }
        Ok(())
    }

    pub(crate) fn session(&self) -> Option<&GatedSession> {
        match &self.of {
            TargetOf::Session { session, .. } => Some(session),
            TargetOf::Nobody { .. } => None,
        }
    }

    pub(crate) fn loaded(&self) -> &LoadedSettings {
        match &self.of {
            TargetOf::Session { session, .. } => &session.loaded,
            TargetOf::Nobody { loaded } => loaded,
        }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.loaded().settings
    }

    /// The gate's policy. Without a session, it requires nothing of a session's state.
    pub(crate) fn policy(&self) -> Policy {
        let mut policy = verification_policy(self.settings());
        if self.session().is_none() {
            policy.required.retain(|required| !is_of_session(*required));
        }
        policy
    }

    /// Whether a check of this kind can be made. Without a session, the checks of its state can't.
    pub(crate) fn is_applicable(&self, kind: CheckKind) -> bool {
        self.session().is_some() || !matches!(kind, CheckKind::OpenTasks | CheckKind::Review)
    }

    /// The checks of a depth, determined from the current settings and files.
    pub(crate) fn plan(&self, depth: Depth) -> Plan {
        let checks = verification_plan(&self.root, self.loaded(), depth);
        let name = plan_name(&checks, &self.policy().required);
        Plan { depth, checks, name }
    }

    /// The directory of the target's runs.
    pub(crate) fn runs(&self, context: &Context) -> Result<PathBuf, CommandError> {
        let home = context.home()?;
        Ok(match self.session() {
            Some(session) => home.verifications(&session.key.file_stem()),
            None => home.own_verifications(&self.root),
        })
    }

    /// A finder of facts about the work, and the work itself.
    pub(crate) fn facts(
        &self,
        context: &Context,
        store: &impl Store,
    ) -> Result<(FactFinder, Work), CommandError> {
        if let Some(session) = self.session() {
            return Ok((session.facts(context, store)?.patient(), session.state.work.clone()));
        }
        let environment = context.environment.all().iter().cloned();
        let home = context.home()?;
        Ok(FactFinder::without_session(&home, &self.root, self.settings(), environment))
    }

    /// The command that verifies the target.
    pub(crate) fn command(&self, depth: Depth) -> String {
        match self.session() {
            Some(session) => verify_command(&session.key.session.word(), depth),
            None => format!("verger verify --depth {depth}"),
        }
    }
}

/// Whether a requirement is about a session's state: the agent's list and its review.
fn is_of_session(required: Requirement) -> bool {
    matches!(required, Requirement::OpenTasks | Requirement::Review)
}

/// The nearest directory with `.verger` at or above the agent's directory. The search ends at the
/// top of the repository that the agent works in.
fn root_of(session: &GatedSession) -> Result<PathBuf, CommandError> {
    let cwd = session.state.session.cwd.as_deref();
    let top = work_directory(&session.state.work, cwd).canonicalize();
    let top = top.ok().filter(|top| top.is_dir()).ok_or(NoDirectory)?;
    let cwd = cwd.and_then(|cwd| Path::new(cwd).canonicalize().ok());
    Ok(cwd.map_or_else(|| top.clone(), |cwd| root_within(&cwd, &top)))
}
