//! Builds the records of one event: the event's own record, and the records before and after it.

use std::path::Path;

use crate::Home;
use verger_agent::Observed;
use verger_event::{
    Access, Actor, Answer, Draft, Event, EventId, Fold as _, Interruption, Origin, Outcome, Record,
    Scope, Session, SessionKey, Standing, StartTree, VergerPart,
};
use verger_exec::Deadline;
use verger_gate::{Start, let_go};
use verger_memory::stats::StatsLine;
use verger_store::{Store, Turn};

use crate::State;
use crate::decision::Decision;
use crate::engine::Engine;
use crate::facts::Facts;
use crate::failure::{Failure, caught, warning_draft};
use crate::gate::Context;
use crate::gates::guard::rules::load_guard_rules;
use crate::gates::recall::statistics_lines;
use crate::locate::Ground;
use crate::notification;
use crate::registry::{Gates, Triggers};
use crate::settings::LoadedSettings;

/// One event of one session while it is handled.
pub(crate) struct Call<'a, S> {
    pub(crate) engine: &'a Engine<'a, S>,
    pub(crate) home: &'a Home,
    pub(crate) loaded: &'a LoadedSettings,
    pub(crate) store: &'a S,
    pub(crate) key: &'a SessionKey,
    /// The deadline for comparing working trees in a slow call
    /// ([`TREE_TIME_LIMIT`](crate::facts::TREE_TIME_LIMIT)).
    pub(crate) tree_time: Deadline<'static>,
    /// Whether the answer to the event can carry a text for the agent.
    pub(crate) carries_context: bool,
}

/// An event that has no record yet.
pub(crate) struct NewEvent {
    pub(crate) id: EventId,
    pub(crate) observed: Observed,
    pub(crate) ground: Ground,
    /// The warning event to record if the payload could not be read.
    pub(crate) unread: Option<Event>,
}

/// The records of one event, before the gates decide.
pub(crate) struct Records {
    /// Records of facts that were looked up. They come before the event's own record.
    found: Vec<Draft>,
    record: Record,
    warnings: Vec<Draft>,
    facts: Facts,
}

/// An event whose records are on disk.
pub(crate) struct Appended {
    pub(crate) answer: Answer,
    pub(crate) on: EventId,
    pub(crate) origin: Origin,
    pub(crate) is_start: bool,
    /// Lines for the statistics of learnings.
    pub(crate) lines: Vec<StatsLine>,
    /// The record of the tool call, if the agent's command in that call was left to the hook.
    pub(crate) leaving: Option<Draft>,
    /// The text for the person's `notify.command`.
    pub(crate) notification: Option<String>,
}

impl<S: Store> Call<'_, S> {
    pub(crate) fn records(
        &self,
        gates: &Gates<'_>,
        state: &State,
        mut facts: Facts,
        new: NewEvent,
    ) -> Records {
        let NewEvent { id, observed, ground, unread } = new;
        let session = &state.session;
        let ground = Ground {
            project: ground.project.or_else(|| session.project.clone()),
            user: ground.user.or_else(|| session.user.clone()),
        };
        let problems =
            [self.config_problems(session, &observed.event), self.rule_problems(&observed)];
        let draft = self.draft(session, id, observed, ground);
        let events = gates.found(&facts, state, self.engine.clock.now());
        let mut found: Vec<_> = events.into_iter().map(|event| self.own(&draft, event)).collect();
        if let Some(track) = &mut facts.track {
            for draft in &found {
                track.apply(&Record { seq: 0, draft: draft.clone() });
            }
        }
        let start_tree = facts.start_tree.take().filter(|_| lacks_start(state));
        found.extend(start_tree.map(|tree| self.own(&draft, Event::StartTreeTaken(tree))));
        let unfound = std::mem::take(&mut facts.warnings);
        let lost = facts
            .loss
            .clone()
            .map(|message| Event::Warned { area: VergerPart::Evidence.into(), message });
        let warnings =
            unread.into_iter().chain(lost).chain(unfound).chain(problems.into_iter().flatten());
        let warnings = warnings.map(|warning| self.warning(&draft.origin, warning, id)).collect();
        Records { found, record: Record { seq: 0, draft }, warnings, facts }
    }

    /// Asks the gates. If one of them panics, the event is still recorded and the agent
    /// continues.
    pub(crate) fn decide(
        &self,
        gates: &Gates<'_>,
        triggers: &Triggers,
        before: &State,
        Records { found, record, facts, .. }: &Records,
    ) -> Decision {
        let mut decision = self.decide_by_gates(gates, triggers, before, (found, record, facts));
        if !self.carries_context {
            // A text that never reaches the agent is not recorded as given. Gates that track what
            // they gave try again later.
            decision.injections.clear();
        }
        let is_stop = matches!(
            (&record.draft.event, &record.draft.origin.actor),
            (Event::StopRequested(_), Actor::Main { .. })
        );
        let loss = facts.loss.as_deref().or(before.session.loss.as_deref());
        if let Some(why) = loss.filter(|_| is_stop) {
            decision.notices.push(let_go::notice_of_loss(why));
        }
        decision
    }

    fn decide_by_gates(
        &self,
        gates: &Gates<'_>,
        triggers: &Triggers,
        before: &State,
        (found, record, facts): (&[Draft], &Record, &Facts),
    ) -> Decision {
        if triggers.is_empty() {
            return Decision::default();
        }
        let decided = caught(|| {
            let mut state = before.clone();
            for draft in found {
                state.apply(&Record { seq: 0, draft: draft.clone() });
            }
            state.apply(record);
            let (draft, clock) = (&record.draft, self.engine.clock);
            let context = Context { before, state: &state, draft, facts, clock };
            let mut decision = Decision::default();
            gates.decide(triggers, &context, &mut decision);
            decision.notices.extend(found.iter().find_map(unknown_start_notice));
            decision
        });
        decided.unwrap_or_else(|failure| {
            let mut decision = Decision::default();
            if let Some(judged) = &triggers.guard {
                judged.decide_alone(&mut decision);
            }
            let (area, message) = (VergerPart::Gates.into(), failure.to_string());
            decision.events.push(Event::Warned { area, message });
            decision
        })
    }

    /// A warning that names the lost parts of the session's records and the command that helps. A
    /// session whose first record is a stop also gets a warning: earlier records are gone, or the
    /// hooks were installed late.
    pub(crate) fn loss(&self, turn: &S::Turn<'_, State>, observed: &Observed) -> Option<String> {
        let mut losses: Vec<_> = turn.losses().iter().map(ToString::to_string).collect();
        let is_first = turn.state().session.events == 0;
        if losses.is_empty() && is_first && matches!(observed.event, Event::StopRequested(_)) {
            losses.push("nothing of this session was recorded before this stop".to_owned());
        }
        let stem = self.key.file_stem();
        (!losses.is_empty())
            .then(|| format!("{}; check it with `verger log verify {stem}`", losses.join("; ")))
    }

    pub(crate) fn append(
        &self,
        turn: S::Turn<'_, State>,
        Records { found, record, warnings, .. }: Records,
        decision: Decision,
        keeps_record: bool,
    ) -> Result<Appended, Failure> {
        let draft = record.draft;
        let (on, kind) = (draft.id, draft.event.kind());
        let is_start = matches!(draft.event, Event::SessionStarted { .. });
        let (answer, events) = decision.into_answer(on, kind);
        let notification = notification::text(&draft.event, &answer, &events);
        let decided: Vec<_> = events.into_iter().map(|event| self.own(&draft, event)).collect();
        let origin = draft.origin.clone();
        let leaving = keeps_record.then(|| draft.clone());
        let mut drafts = found;
        let event = turn.state().session.without_recorded_calls(draft.event);
        drafts.push(Draft { event, ..draft });
        drafts.extend(warnings);
        drafts.extend(decided);
        let lines = statistics_lines(turn.state(), &drafts);
        turn.commit(drafts)?;
        Ok(Appended { answer, on, origin, is_start, lines, leaving, notification })
    }

    /// A record of one of verger's own events about the event in `about`.
    pub(crate) fn own(&self, about: &Draft, event: Event) -> Draft {
        Draft {
            id: self.engine.clock.next_id(),
            at: self.engine.clock.now(),
            origin: about.origin.clone(),
            standing: Standing {
                task: about.standing.task,
                evidence: vec![about.id],
                ..Standing::default()
            },
            access: self.access(&event),
            event,
        }
    }

    fn access(&self, event: &Event) -> Access {
        Access {
            scope: Scope::of(event),
            readers: self.loaded.settings.record.readers.value.clone(),
        }
    }

    fn draft(&self, state: &Session, id: EventId, observed: Observed, ground: Ground) -> Draft {
        let Observed { session, actor, circumstance, event } = observed;
        let settings = &self.loaded.settings.record;
        Draft {
            id,
            at: self.engine.clock.now(),
            standing: Standing {
                task: state.task_for(id, &actor, &event),
                outcome: outcome(&event),
                ..Standing::default()
            },
            access: self.access(&event),
            origin: Origin {
                agent: self.key.agent.clone(),
                agent_version: (self.engine.spec.version)(&|name| {
                    self.engine.environment.text(name)
                })
                .or_else(|| state.agent_version.clone()),
                session,
                actor,
                user: ground.user,
                role: settings.role.value.clone(),
                project: ground.project,
                circumstance,
            },
            event,
        }
    }

    /// A warning about broken configuration files. It is recorded when a session starts, and at
    /// the first prompt after a file broke. Other events get no warning, so that one bad line
    /// doesn't fill the log.
    fn config_problems(&self, session: &Session, event: &Event) -> Option<Event> {
        if self.loaded.problems.is_empty() {
            return None;
        }
        let message = self.loaded.problems.join("\n");
        let is_moment = match event {
            Event::SessionStarted { .. } => true,
            Event::PromptSubmitted { .. } => !is_told(session, &message),
            _ => false,
        };
        is_moment.then(|| Event::Warned { area: VergerPart::Config.into(), message })
    }

    /// A warning about broken rule files, when a session starts.
    fn rule_problems(&self, observed: &Observed) -> Option<Event> {
        let Event::SessionStarted { .. } = observed.event else { return None };
        let cwd = observed.circumstance.cwd.as_deref().map(Path::new);
        let surroundings = self.engine.environment.surroundings(cwd);
        let problems = load_guard_rules(self.home, &surroundings).problems;
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        let message = problems.join("\n");
        (!message.is_empty())
            .then(|| Event::Warned { area: VergerPart::GuardRules.into(), message })
    }

    pub(crate) fn warning(&self, origin: &Origin, event: Event, about: EventId) -> Draft {
        let origin = Origin { actor: Actor::Main { agent_type: None }, ..origin.clone() };
        warning_draft(self.engine.clock, origin, event, Some(about))
    }
}

/// Whether the session's last warning was this message.
pub(crate) fn is_told(session: &Session, message: &str) -> bool {
    session.warnings.last.as_ref().is_some_and(|last| message.starts_with(&last.message))
}

/// A notice for the person that the task's changes are unknown because its start tree is missing.
fn unknown_start_notice(draft: &Draft) -> Option<String> {
    let Event::StartTreeTaken(StartTree::Unknown { reason }) = &draft.event else { return None };
    Some(format!(
        "verger: the changes of this task are unknown, because verger could not record the files \
         when the task began (cannot {reason}). Its work cannot be approved or verified. Add large \
         trees of untracked files to .gitignore. `verger status` shows the session."
    ))
}

/// Whether a start tree is still missing. Two parallel calls may both look it up, and only the
/// first one may record it.
fn lacks_start(state: &State) -> bool {
    let starts = [&state.work.start, state.learning.baseline.start()];
    starts.contains(&&Start::NotTaken)
}

/// Whether the session's log has the event already.
pub(crate) fn is_recorded(state: &State, observed: &Observed) -> bool {
    let occurrence = observed.event.occurrence(observed.circumstance.prompt.as_ref());
    occurrence.is_some_and(|occurrence| state.session.has_seen(occurrence))
}

fn outcome(event: &Event) -> Option<Outcome> {
    match event {
        Event::ToolSucceeded { .. } => Some(Outcome::Succeeded),
        Event::ToolFailed { interruption: Interruption::ByPerson, .. } => {
            Some(Outcome::Interrupted)
        }
        Event::ToolFailed { .. } | Event::StopFailed { .. } => Some(Outcome::Failed),
        _ => None,
    }
}
