//! A session as commands use it, and steps of its review gate. A step is decided under the
//! session's lock and written to the log.

use std::path::Path;

use verger_engine::{
    Amount, FactFinder, LoadedSettings, Registered, State, UnknownContent, load_settings,
    restore_start_trees, review_policy,
};
use verger_event::{
    Access, Actor, Circumstance, ContentHash, Draft, Event, EventId, Origin, Scope, Session,
    SessionKey, Standing,
};
use verger_gate::Content;
use verger_gate::review::message::Reviewer;
use verger_gate::review::{self, Outcome, Policy, Review, ReviewerId, Say, Step};
use verger_store::{SegmentName, Store, Turn};

use crate::doctor::registration::Registered as Installed;
use crate::install::inspect::inspect;
use crate::invocation::ancestry::agent_above;
use crate::invocation::command_error::{CommandError, NotCompared};
use crate::invocation::context::Context;

/// The session that a command works on.
pub(crate) struct GatedSession {
    pub(crate) key: SessionKey,
    /// The state when the session was looked up.
    pub(crate) state: State,
    /// The settings in the session's directory.
    pub(crate) loaded: LoadedSettings,
    keeping: Keeping,
}

/// Where the records of a command go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// The records are in the log when the command ends.
    InLog,
    /// This process can't write. The command prints the result, and the hook runs the command
    /// again.
    LeftToHook,
}

/// A completed step.
pub(crate) struct Stepped {
    /// The gate before the step.
    pub(crate) before: Review,
    /// The gate after the step.
    pub(crate) after: Review,
    pub(crate) say: Say,
}

impl GatedSession {
    /// Looks up a session without locking or creating anything.
    pub(crate) fn look_up(
        context: &Context,
        store: &impl Store,
        segment: &SegmentName,
    ) -> Result<Self, CommandError> {
        let (SegmentName::Session(stem) | SegmentName::Project(stem)) = segment;
        let Some(key) = store.key_of(stem)? else {
            return Err(CommandError::Usage {
                message: format!("no record of session {stem} can be read"),
                hint: format!("verger log verify {stem}"),
            });
        };
        let state: State = store.folded(stem)?;
        let directory = state.session.cwd.as_deref().map(Path::new);
        let loaded = load_settings(&context.home()?, directory, &context.environment);
        Ok(Self { key, state, loaded, keeping: Keeping::InLog })
    }

    /// Looks up a session for an agent's command that records something. Succeeds even if the
    /// agent's client doesn't let the process write, because the hook runs the command again. A
    /// person's command fails in that case, because no hook runs it.
    pub(crate) fn look_up_for_agent(
        context: &Context,
        store: &impl Store,
        segment: &SegmentName,
    ) -> Result<Self, CommandError> {
        let is_left = store.is_sealed() && agent_above(&context.environment).is_some();
        let keeping = if is_left { Keeping::LeftToHook } else { Keeping::InLog };
        Ok(Self { keeping, ..Self::look_up(context, store, segment)? })
    }

    pub(crate) fn keeping(&self) -> Keeping {
        self.keeping
    }

    /// The ids of the tickets that an answer to the learning gate covers.
    pub(crate) fn tickets(&self) -> Vec<String> {
        self.state.learning.ticket_ids()
    }

    /// Returns a [`FactFinder`] for the session's work. The start trees of an idle session are in its
    /// log; they are written back to disk first, because the finder reads them there.
    pub(crate) fn facts(
        &self,
        context: &Context,
        store: &impl Store,
    ) -> Result<FactFinder, CommandError> {
        let home = context.home()?;
        restore_start_trees(&home, store, &self.key, &self.state);
        let environment = context.environment.all().iter().cloned();
        Ok(FactFinder::new(&home, &self.key, &self.loaded.settings, environment))
    }

    /// Measures the work of the current task.
    pub(crate) fn amount(&self, facts: &FactFinder) -> Result<Amount, UnknownContent> {
        facts.amount(&self.state.work, self.state.session.cwd.as_deref())
    }

    /// The current content of the work, and the paths that differ from the reviewed content.
    pub(crate) fn work_now(
        &self,
        facts: &FactFinder,
        reviewed: &ContentHash,
        outcome: Outcome,
    ) -> Result<(Content, Vec<String>), CommandError> {
        match (self.amount(facts), outcome) {
            (Ok(amount), _) => {
                let paths = facts.differing_paths(reviewed, &amount);
                Ok((amount.content, paths))
            }
            (Err(unknown), Outcome::Complete) => Err(NotCompared(unknown).into()),
            // A decision that does not approve is accepted even if the work changed.
            (Err(_), Outcome::Issues | Outcome::Unavailable) => Ok((Content::unknown(), vec![])),
        }
    }

    /// The reviewer that is available to the session.
    pub(crate) fn reviewer(&self, context: &Context) -> Result<Reviewer<'static>, CommandError> {
        let Some(spec) = verger_agent::by_name(self.key.agent.as_str()) else {
            return Ok(Reviewer::Missing);
        };
        let mut reviewers = self.state.review.reviewers.iter();
        let has_plugin = reviewers.any(|(id, _)| matches!(id, ReviewerId::Subagent(_)))
            || Installed::of(&inspect(&context.places(spec)?, &context.environment))
                == Installed::ByPlugin;
        let registered = if has_plugin { Registered::ByPlugin } else { Registered::BySettings };
        Ok(verger_engine::reviewer(&self.loaded.settings, spec, registered))
    }

    /// Takes a step of the review gate. `decide` gets the gate as read under the lock, because the
    /// state in `self` may be outdated. `evidence` has the records that led to the step.
    pub(crate) fn step(
        &self,
        context: &Context,
        store: &impl Store,
        evidence: &[EventId],
        decide: impl FnOnce(&Review, &Policy) -> Step,
    ) -> Result<Stepped, CommandError> {
        self.record(context, store, evidence, |state| {
            let before = state.review.clone();
            let step = decide(&before, &review_policy(&self.loaded.settings));
            let now = context.clock.now();
            let events = review::events(&before, &step, now);
            (events, Stepped { after: step.applied_to(&before, now), before, say: step.say })
        })
    }

    /// Records the events that `decide` makes from the session's state under the lock. In a process
    /// that can't write, the events are made but not recorded.
    pub(crate) fn record<T>(
        &self,
        context: &Context,
        store: &impl Store,
        evidence: &[EventId],
        decide: impl FnOnce(&State) -> (Vec<Event>, T),
    ) -> Result<T, CommandError> {
        self.record_drafts(context, store, evidence, decide).map(|(decided, _)| decided)
    }

    /// Like [`Self::record`], but also returns the records.
    pub(crate) fn record_drafts<T>(
        &self,
        context: &Context,
        store: &impl Store,
        evidence: &[EventId],
        decide: impl FnOnce(&State) -> (Vec<Event>, T),
    ) -> Result<(T, Vec<Draft>), CommandError> {
        let drafted = |state: &State| {
            let (events, decided) = decide(state);
            let draft = |event| self.draft(context, &state.session, evidence, event);
            (decided, events.into_iter().map(draft).collect::<Vec<_>>())
        };
        if self.keeping == Keeping::LeftToHook {
            return Ok(drafted(&self.state));
        }
        let turn = store.open::<State>(&self.key)?;
        let (decided, drafts) = drafted(turn.state());
        turn.commit(drafts.clone())?;
        Ok((decided, drafts))
    }

    /// Makes a record of verger's own for the session.
    fn draft(
        &self,
        context: &Context,
        session: &Session,
        evidence: &[EventId],
        event: Event,
    ) -> Draft {
        let record = &self.loaded.settings.record;
        let circumstance = Circumstance { cwd: session.cwd.clone(), ..Circumstance::default() };
        Draft {
            id: context.clock.next_id(),
            at: context.clock.now(),
            origin: Origin {
                agent: self.key.agent.clone(),
                agent_version: session.agent_version.clone(),
                session: self.key.session.clone(),
                actor: Actor::Main { agent_type: None },
                user: session.user.clone(),
                role: record.role.value.clone(),
                project: session.project.clone(),
                circumstance,
            },
            standing: Standing {
                task: session.current_task(),
                evidence: evidence.to_vec(),
                ..Standing::default()
            },
            access: Access { scope: Scope::of(&event), readers: record.readers.value.clone() },
            event,
        }
    }
}
