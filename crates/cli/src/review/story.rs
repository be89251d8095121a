//! The reviews of a session, reconstructed from its records: the reviewer, the reviewed content,
//! the prompts to the reviewer, and the decision.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use verger_event::{Actor, ContentHash, Event, EventId, Record, SubagentId, TaskId, Timestamp};
use verger_gate::review::{Change, Decision, Proof, Ran, ReviewerId, ReviewerProgram};
use verger_store::{SegmentName, Store};

use crate::invocation::command_error::CommandError;
use crate::review::assignment::review_change;
use crate::review::subagent_texts::{SubagentTexts, Told};
use crate::sessions::event_picker::each_record;

/// One review.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReviewStory {
    pub(crate) reviewer: ReviewerId,
    /// The sequence number of the record with which the review began.
    pub(crate) seq: u64,
    pub(crate) task: Option<TaskId>,
    pub(crate) started: Timestamp,
    /// The reviewed content.
    pub(crate) content: ContentHash,
    pub(crate) by: By,
    pub(crate) decided: Option<Decided>,
}

/// The reviewer: a subagent or a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum By {
    /// A subagent of the session.
    Subagent(Subagent),
    /// A program that verger ran.
    Program { program: ReviewerProgram, ran: Option<Ran> },
}

/// A subagent that reviews.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Subagent {
    id: SubagentId,
    agent_type: Option<String>,
    /// The record of the subagent's start.
    start: Option<EventId>,
    /// All texts that other agents gave to the subagent before its decision, in order.
    pub(crate) told: Vec<Told>,
    /// The last call of the subagent with a decision.
    seen: Option<EventId>,
    pub(crate) transcript: Option<String>,
}

/// A recorded decision.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decided {
    pub(crate) seq: u64,
    pub(crate) at: Timestamp,
    pub(crate) decision: Decision,
}

/// All reviews of a session, ordered by their beginning.
#[derive(Debug, Default)]
pub(crate) struct ReviewStories {
    stories: Vec<ReviewStory>,
    texts: SubagentTexts,
    begun: BTreeMap<SubagentId, Subagent>,
}

impl ReviewStories {
    /// Reads the reviews of a session.
    pub(crate) fn read(store: &impl Store, segment: &SegmentName) -> Result<Self, CommandError> {
        let mut stories = Self::default();
        each_record(store, segment, &mut |record| stories.see(&record))?;
        Ok(stories)
    }

    /// Adds the next record.
    pub(crate) fn see(&mut self, record: &Record) {
        let draft = &record.draft;
        self.texts.see(record);
        match (&draft.event, &draft.origin.actor) {
            (Event::SubagentStarted, Actor::Subagent { id, agent_type }) => {
                let subagent = Subagent {
                    agent_type: Some(agent_type.clone()),
                    start: Some(draft.id),
                    ..Subagent::unseen(id)
                };
                self.begun.insert(id.clone(), subagent);
            }
            (
                Event::SubagentStopRequested { transcript: Some(path), .. },
                Actor::Subagent { id, .. },
            ) => {
                let reviewer = ReviewerId::Subagent(id.clone());
                if let Some(ReviewStory { by: By::Subagent(subagent), .. }) = self.last(&reviewer) {
                    subagent.transcript = Some(path.clone());
                }
            }
            (event, _) => {
                if let Some(change) = review_change(event) {
                    self.change(change, record);
                }
            }
        }
    }

    fn change(&mut self, change: Change, record: &Record) {
        let draft = &record.draft;
        match change {
            Change::ReviewerStarted { reviewer, proof, content } => {
                let by = match (&reviewer, proof) {
                    (ReviewerId::Subagent(id), _) => {
                        let begun = self.begun.remove(id);
                        By::Subagent(begun.unwrap_or_else(|| Subagent::unseen(id)))
                    }
                    (ReviewerId::Command(_), Proof::Run(program)) => {
                        By::Program { program, ran: None }
                    }
                    (ReviewerId::Command(_), Proof::Token(_)) => return,
                };
                self.stories.push(ReviewStory {
                    reviewer,
                    seq: record.seq,
                    task: draft.standing.task,
                    started: draft.at,
                    content,
                    by,
                    decided: None,
                });
            }
            Change::Attested { reviewer, .. } => {
                if let Some(ReviewStory { by: By::Subagent(subagent), .. }) = self.last(&reviewer) {
                    subagent.seen = draft.standing.evidence.first().copied();
                }
            }
            Change::RunEnded { reviewer, ran } => {
                if let Some(ReviewStory { by: By::Program { ran: known, .. }, .. }) =
                    self.last(&reviewer)
                {
                    *known = Some(ran);
                }
            }
            Change::Decided { reviewer, decision, .. } => {
                if let Some(story) = self.last(&reviewer) {
                    story.decided = Some(Decided { seq: record.seq, at: draft.at, decision });
                }
            }
            _ => {}
        }
    }

    fn last(&mut self, reviewer: &ReviewerId) -> Option<&mut ReviewStory> {
        self.stories.iter_mut().rfind(|story| story.reviewer == *reviewer)
    }

    /// The records that prove how the last review by this reviewer came about.
    pub(crate) fn evidence(&self, reviewer: &ReviewerId) -> Vec<EventId> {
        self.of(reviewer).map(|story| story.evidence()).unwrap_or_default()
    }

    /// The review that the records about one event belong to. If they name a reviewer, it is the
    /// last review of that reviewer. Otherwise, it is the last review of the gate's task.
    pub(crate) fn concerning<'a>(
        &self,
        records: impl Iterator<Item = &'a Record> + Clone,
    ) -> Option<ReviewStory> {
        if let Some(reviewer) = records.clone().find_map(|record| reviewer_in(&record.draft.event))
        {
            return self.of(&reviewer);
        }
        let is_looked_at = |record: &Record| match &record.draft.event {
            Event::StopRequested(_) => matches!(record.draft.origin.actor, Actor::Main { .. }),
            event => review_change(event).is_some(),
        };
        let last = records.filter(|record| is_looked_at(record)).max_by_key(|record| record.seq)?;
        self.latest(last.draft.standing.task, last.seq)
    }

    /// The last review by this reviewer.
    fn of(&self, reviewer: &ReviewerId) -> Option<ReviewStory> {
        let story = self.stories.iter().rfind(|story| story.reviewer == *reviewer)?;
        Some(self.with_texts(story))
    }

    /// The last review of a task that began before or with the record with this number.
    fn latest(&self, task: Option<TaskId>, seq: u64) -> Option<ReviewStory> {
        let story = self.stories.iter().rfind(|story| story.task == task && story.seq <= seq)?;
        Some(self.with_texts(story))
    }

    fn with_texts(&self, story: &ReviewStory) -> ReviewStory {
        let mut story = story.clone();
        let until = story.decided.as_ref().map_or(u64::MAX, |decided| decided.seq);
        if let By::Subagent(subagent) = &mut story.by {
            subagent.told = self.texts.to(&subagent.id, until);
        }
        story
    }
}

/// The reviewer that an event names.
fn reviewer_in(event: &Event) -> Option<ReviewerId> {
    if let Event::ReviewDecided { reviewer: Some(reviewer), .. } = event {
        return ReviewerId::try_from(reviewer.clone()).ok();
    }
    match review_change(event)? {
        Change::ReviewerStarted { reviewer, .. }
        | Change::Attested { reviewer, .. }
        | Change::ReviewerHeld { reviewer }
        | Change::ReviewerEnded { reviewer }
        | Change::RunEnded { reviewer, .. }
        | Change::Decided { reviewer, .. } => Some(reviewer),
        Change::Wanted { .. }
        | Change::Denied { .. }
        | Change::Held { .. }
        | Change::Refused { .. }
        | Change::ApprovalUsed
        | Change::Restored
        | Change::PassedUncompared
        | Change::Satisfied
        | Change::Released { .. } => None,
    }
}

impl Subagent {
    /// A subagent whose start was not recorded.
    fn unseen(id: &SubagentId) -> Self {
        let id = id.clone();
        Self { id, agent_type: None, start: None, told: vec![], seen: None, transcript: None }
    }
}

impl ReviewStory {
    /// The records that prove how the decision came about. The call with the decision comes first.
    fn evidence(&self) -> Vec<EventId> {
        match &self.by {
            By::Subagent(Subagent { start, told, seen: seen @ Some(_), .. }) => {
                let told = told.iter().map(|told| told.event);
                [*seen, *start].into_iter().flatten().chain(told).collect()
            }
            By::Subagent(_) | By::Program { .. } => vec![],
        }
    }

    /// The reviewer, in words.
    pub(crate) fn who(&self) -> String {
        match &self.by {
            By::Subagent(Subagent { id, agent_type: Some(kind), .. }) => {
                format!("subagent {id} ({kind})")
            }
            By::Subagent(Subagent { id, agent_type: None, .. }) => format!("subagent {id}"),
            By::Program { program, .. } => {
                let words = [&program.program].into_iter().chain(&program.arguments);
                let words = words.map(String::as_str).collect::<Vec<_>>().join(" ");
                format!("`{words}`, run by verger")
            }
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let (told, transcript) = match &self.by {
            By::Subagent(Subagent { told, transcript, .. }) => (&told[..], transcript.as_ref()),
            By::Program { .. } => (&[][..], None),
        };
        let told = told.iter().map(|told| json!({ "event": told.event, "text": told.text }));
        let (program, ran) = match &self.by {
            By::Program { program, ran } => (Some(program), ran.as_ref()),
            By::Subagent(_) => (None, None),
        };
        json!({
            "reviewer": self.reviewer,
            "who": self.who(),
            "started_ms": self.started,
            "content": self.content,
            "told": told.collect::<Vec<_>>(),
            "transcript": transcript,
            "program": program,
            "ran": ran,
            "decided": self.decided.as_ref().map(|decided| json!({
                "at_ms": decided.at,
                "decision": decided.decision,
            })),
        })
    }
}
