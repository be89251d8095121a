//! Processes a reflection: reads it, judges it, records it in the log, stores its learnings and
//! updates their statistics, in this order. The log comes first, so that the next reflection or
//! `learn archive --unused` can repeat a later step that failed.

use verger_engine::{Shelving, Unstored, Waiting};
use verger_event::{Event, Fate, Reference};
use verger_gate::learning::{Input, Reflection as Answer, Say};
use verger_library::{Placement, Shelved};
use verger_memory::stats::{Miss, StatsEvent, misses};
use verger_memory::{
    Candidate, Judgement, Known, Learning, LearningId, Offered, Origin, Provenance, Reflection,
    Scope, TurnedAway, judge,
};
use verger_store::{SegmentName, Store, with_causes};
use verger_store_local::OutsideLock;
use verger_worktree::head;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::learning::gate_step::LearningStep;
use crate::learning::known::KnownLearnings;
use crate::learning::offers::Offers as LeftByOthers;
use crate::learning::persons_prompts::persons_prompts;
use crate::learning::project::ProjectLearnings;
use crate::sessions::gated::{GatedSession, Keeping};

/// The maximum number of offered records that are named as the origin of a learning.
const MAX_EVENTS: usize = 8;

/// The reason why a reflection is refused if none of its learnings can be stored.
const NOT_KEPT: &str = "all learnings of the reflection are ephemeral, and this project has no daily log to keep \
    them: give one the scope project, team or personal, or skip";

/// The result of a reflection.
pub(crate) struct Reflected {
    pub(crate) step: LearningStep,
    pub(crate) judgement: Judgement,
    /// Remarks about parts of the text that were not understood as written.
    pub(crate) remarks: Vec<String>,
    /// Learnings that helped.
    pub(crate) used: Vec<LearningId>,
    /// Learnings that were replaced.
    pub(crate) superseded: Vec<LearningId>,
    /// Where learnings from this reflection and from earlier ones are stored.
    pub(crate) shelved: Vec<Shelved>,
    /// Accepted candidates that an earlier reflection had rejected.
    pub(crate) misses: Vec<Miss>,
    /// Problems that do not invalidate the reflection.
    pub(crate) troubles: Vec<String>,
}

impl Reflected {
    /// Whether the learning gate accepts the reflection as an answer.
    pub(crate) fn is_taken(&self) -> bool {
        self.step.say == Say::Taken
    }

    /// The reason why the gate does not accept the reflection, although candidates passed.
    pub(crate) fn not_kept(&self) -> Option<&'static str> {
        (!self.is_taken() && !self.judgement.learnings.is_empty()).then_some(NOT_KEPT)
    }

    /// Where learnings from earlier reflections are stored.
    pub(crate) fn earlier(&self) -> impl Iterator<Item = &Shelved> {
        let is_new = |id: &LearningId| self.judgement.learnings.iter().any(|one| one.id == *id);
        self.shelved.iter().filter(move |shelved| !is_new(&shelved.learning))
    }

    /// A message about a learning that could not be stored, with the reason and the command that
    /// helps.
    pub(crate) fn not_stored(&self) -> Option<String> {
        let because = self.shelved.iter().find_map(|shelved| match &shelved.placement {
            Placement::Failed { because, .. } => Some(format!("cannot {because}")),
            Placement::NoBackend => Some(
                "no place to store learnings is turned on: see `verger doctor learnings`"
                    .to_owned(),
            ),
            _ => None,
        })?;
        Some(format!(
            "some learnings are only in the log ({because}); the next reflection or `verger \
             learn archive --unused` tries again"
        ))
    }
}

/// A session with a reflection being processed.
pub(crate) struct Reflecting<'a, S> {
    context: &'a Context,
    store: &'a S,
    session: &'a GatedSession,
    project_learnings: ProjectLearnings,
    known_learnings: KnownLearnings,
    /// The lock on changes to the learnings. `None` if waiting for it took too long.
    turn: Option<OutsideLock>,
}

/// Records that a text is not a valid reflection. The gate stays closed, and its next refusal
/// includes the reason.
pub(crate) fn refuse(
    context: &Context,
    store: &impl Store,
    session: &GatedSession,
    why: &str,
) -> Result<LearningStep, CommandError> {
    session.step_learning(context, store, vec![], &Input::Reflection(Answer::Refused { why }))
}

impl<'a, S: Store> Reflecting<'a, S> {
    pub(crate) fn begin(
        context: &'a Context,
        store: &'a S,
        session: &'a GatedSession,
    ) -> Result<Self, CommandError> {
        let project_learnings = ProjectLearnings::of_session(context, session)?;
        let turn = match session.keeping() {
            Keeping::InLog => project_learnings.turn()?,
            Keeping::LeftToHook => None,
        };
        let known_learnings = KnownLearnings::read(&project_learnings.project);
        Ok(Self { context, store, session, project_learnings, known_learnings, turn })
    }

    pub(crate) fn reflect(
        &self,
        segment: &SegmentName,
        reflection: Reflection,
    ) -> Result<Reflected, CommandError> {
        let Reflection { offers, used, mut remarks, .. } = reflection;
        let offers: Vec<_> = offers.into_iter().map(|offered| self.redacted(offered)).collect();
        let is_personal: Vec<_> =
            offers.iter().map(|offered| is_personal(&offered.candidate)).collect();
        let left = LeftByOthers::read(self.store, segment)?;
        let prompts = persons_prompts(self.store, segment)?;
        let judgement = self.judge(offers, &left, &prompts);
        remarks.extend(judgement.remarks.iter().map(|remark| {
            format!("candidate {}: {}: {}", remark.candidate, remark.field, remark.says)
        }));
        let is_held = |id: &LearningId| self.known_learnings.find(id).is_some();
        let (used, strange): (Vec<_>, Vec<_>) =
            used.into_iter().map(|used| used.id).partition(is_held);
        remarks.extend(strange.iter().map(|id| format!("used: no learning {id} is kept here")));
        let superseded = self.superseded(&judgement);
        let step = self.record(&judgement, &used, &superseded)?;
        let mut troubles = self.known_learnings.problems();
        let shelved = match self.session.keeping() {
            Keeping::InLog => self.put_away(&step, &judgement, &is_personal, &mut troubles),
            Keeping::LeftToHook => vec![],
        };
        let misses = misses(&self.known_learnings.lines, &judgement.learnings);
        Ok(Reflected { step, judgement, remarks, used, superseded, shelved, misses, troubles })
    }

    /// The steps after the log: stores the learnings, updates their statistics and the index.
    fn put_away(
        &self,
        step: &LearningStep,
        judgement: &Judgement,
        is_personal: &[bool],
        troubles: &mut Vec<String>,
    ) -> Vec<Shelved> {
        let shelved = self.shelve(judgement).unwrap_or_else(|error| {
            troubles.push(error.to_string());
            vec![]
        });
        troubles.extend(self.count(step, judgement, is_personal).err());
        troubles.extend(
            self.project_learnings.refresh(self.context).err().map(|error| error.to_string()),
        );
        shelved
    }

    /// Redacts a candidate, because secrets must not get into the log or into files that a team
    /// shares.
    fn redacted(&self, Offered { candidate, unreadable }: Offered) -> Offered {
        let text = |text: String| self.store.redacted(&text).into_owned();
        let list = |list: Vec<String>| list.into_iter().map(text).collect();
        let candidate = Candidate {
            category: candidate.category,
            summary: text(candidate.summary),
            detail: text(candidate.detail),
            scope: candidate.scope,
            criteria: candidate.criteria,
            tags: list(candidate.tags),
            files: list(candidate.files),
            symbols: list(candidate.symbols),
            supersedes: candidate.supersedes,
        };
        Offered { candidate, unreadable }
    }

    fn judge(&self, offers: Vec<Offered>, left: &LeftByOthers, prompts: &[String]) -> Judgement {
        let active = self.known_learnings.held.iter().filter(|held| held.account.is_active());
        let known: Vec<_> = active
            .map(|held| {
                let Learning { id, summary, .. } = &held.account.learning;
                Known { id, summary }
            })
            .collect();
        let skipped = left.len().saturating_sub(MAX_EVENTS);
        let provenance = Provenance {
            session: Some(self.session.key.session.clone()),
            ticket: self.session.tickets().into_iter().next(),
            events: left.events().skip(skipped).collect(),
            commit: head(&self.project_learnings.ground.root).commit,
        };
        let clock = &self.context.clock;
        let origin = Origin { provenance: &provenance, prompts, now: clock.now() };
        judge(offers, &known, origin, &mut || LearningId::of_event(clock.next_id()))
    }

    /// The active learnings that new learnings replace.
    fn superseded(&self, judgement: &Judgement) -> Vec<LearningId> {
        let replaced = judgement.learnings.iter().flat_map(|learning| &learning.supersedes);
        let is_active = |id: &&LearningId| {
            self.known_learnings.find(id).is_some_and(|held| held.account.is_active())
        };
        let mut replaced: Vec<_> = replaced.filter(is_active).cloned().collect();
        replaced.sort();
        replaced.dedup();
        replaced
    }

    fn record(
        &self,
        judgement: &Judgement,
        used: &[LearningId],
        superseded: &[LearningId],
    ) -> Result<LearningStep, CommandError> {
        let Judgement { learnings, rejected, .. } = judgement;
        let count = rejected.len() as u64;
        let library = &self.project_learnings.project.library;
        let kept = learnings.iter().filter(|learning| library.keeps(learning.scope)).count();
        let why = if learnings.is_empty() { why_nothing(rejected) } else { NOT_KEPT.to_owned() };
        let answer = match kept {
            0 => Answer::Refused { why: &why },
            kept => Answer::Taken { kept: kept as u64, rejected: count },
        };
        let reflection = Event::ReflectionRecorded {
            learnings: learnings.iter().map(|learning| learning.id.to_string()).collect(),
            rejected: count,
            kept: learnings.iter().map(Learning::to_json).collect(),
            rejections: rejected.iter().map(|one| one.rejected.to_json()).collect(),
            tickets: self.session.tickets(),
        };
        let seen = |fate, how| {
            move |id: &LearningId| Event::LearningSeen { learning: id.to_string(), fate, how }
        };
        let used = used.iter().map(seen(Fate::Referenced, Some(Reference::Reflection)));
        let superseded = superseded.iter().map(seen(Fate::Corrected, None));
        let beside = [reflection].into_iter().chain(used).chain(superseded).collect();
        let input = Input::Reflection(answer);
        self.session.step_learning(self.context, self.store, beside, &input)
    }

    /// Stores these learnings, and learnings of earlier reflections that could not be stored then.
    fn shelve(&self, judgement: &Judgement) -> Result<Vec<Shelved>, CommandError> {
        let project = self.session.state.session.project.as_ref().filter(|_| self.turn.is_some());
        let mut unstored = Unstored::read(self.store, Some(&self.session.key), project)?;
        if self.turn.is_none() {
            // Another process that holds the lock may be storing the earlier learnings.
            let ids: Vec<_> = judgement.learnings.iter().map(|one| one.id.clone()).collect();
            unstored = unstored.only(&ids);
        }
        let place_of = |id: &LearningId| Some(self.known_learnings.find(id)?.place.backend);
        let waiting = Waiting::of(&self.project_learnings.index(self.context)?);
        let shelving = Shelving {
            store: self.store,
            clock: &self.context.clock,
            library: &self.project_learnings.project.library,
            waiting: &waiting,
        };
        Ok(unstored.store(&shelving, place_of)?)
    }

    fn count(
        &self,
        step: &LearningStep,
        judgement: &Judgement,
        is_personal: &[bool],
    ) -> Result<(), String> {
        let lines = step.stats().into_iter();
        let mut rejected = judgement.rejected.iter();
        // The rejection of a personal candidate is counted in the personal statistics.
        let (own, others): (Vec<_>, Vec<_>) = lines.partition(|line| {
            matches!(line.event, StatsEvent::Rejected { .. })
                && rejected
                    .next()
                    .and_then(|one| is_personal.get(one.candidate.checked_sub(1)?))
                    .is_some_and(|is_personal| *is_personal)
        });
        let project = &self.project_learnings.project;
        let told = project.tell(&others).and(project.personal_stats.tell(&own));
        told.map_err(|error| format!("cannot {}", with_causes(&error)))
    }
}

fn is_personal(candidate: &Candidate) -> bool {
    let scope = candidate.scope.as_deref().and_then(|scope| scope.parse().ok());
    scope == Some(Scope::Personal)
}

fn why_nothing(rejected: &[TurnedAway]) -> String {
    let reasons = rejected.iter().map(|one| {
        let says =
            one.rejected.reasons.iter().map(|reason| format!("{} {}", reason.field, reason.says));
        format!("candidate {}: {}", one.candidate, says.collect::<Vec<_>>().join("; "))
    });
    match reasons.collect::<Vec<_>>().join("; ") {
        none if none.is_empty() => "it has no candidates".to_owned(),
        reasons => reasons,
    }
}
