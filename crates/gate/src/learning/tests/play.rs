//! A test session with the learning gate, which records events and decides about inputs.

use std::ops::{Deref, DerefMut};

use serde_json::json;
use verger_event::{Actor, Event, StartTree, StopRequest, TicketSystem, ToolUseId};

use super::super::*;
use super::built::policy;
use crate::played::{Played, main_agent, stop_beside, subagent};

pub(super) struct Play {
    played: Played,
    pub(super) policy: Policy,
    pub(super) changed: Changed,
    pub(super) files: Vec<String>,
    /// The changes of the gate that the last inputs caused.
    pub(super) changes: Vec<Change>,
    calls: u32,
}

impl Deref for Play {
    type Target = Played;

    fn deref(&self) -> &Played {
        &self.played
    }
}

impl DerefMut for Play {
    fn deref_mut(&mut self) -> &mut Played {
        &mut self.played
    }
}

impl Default for Play {
    fn default() -> Self {
        Self::new(policy())
    }
}

impl Play {
    pub(super) fn new(policy: Policy) -> Self {
        let changed = Changed::Lines(50);
        let files = vec!["src/save.rs".to_owned()];
        Self { played: Played::default(), policy, changed, files, changes: vec![], calls: 0 }
    }

    pub(super) fn gate(&self) -> &Learning {
        &self.state.learning
    }

    /// Decides about an input and records the resulting events. The gate's state is the fold of the
    /// earlier records.
    pub(super) fn step(&mut self, input: &Input<'_>) -> Say {
        let before = self.state.learning.clone();
        let now = self.now();
        let step = step(&before, input, &self.policy, now);
        for event in events(&before, &step, now) {
            self.record(main_agent(), &event);
        }
        assert_eq!(self.state.learning, step.applied_to(&before, now));
        self.changes.extend(step.changes);
        step.say
    }

    pub(super) fn find(&mut self, id: &str) {
        let ticket = super::built::ticket(id);
        let system = Some(TicketSystem::Beads);
        self.step(&Input::Found { system, ticket: Some(&ticket) });
    }

    /// Requests a tool call with this command line, which closes tickets.
    pub(super) fn run(&mut self, actor: Actor, line: &str) -> ToolUseId {
        self.calls += 1;
        let id = ToolUseId::new(format!("call {}", self.calls));
        let call = verger_event::ToolCall::shell(line).with_id(id.as_str());
        self.record(actor, &Event::ToolRequested(call));
        let closes = closes(&verger_shell::read(line), &self.policy.systems, Some(&id));
        if !closes.is_empty() {
            self.step(&Input::CloseSeen { closes: &closes });
        }
        id
    }

    pub(super) fn close(&mut self, id: &str) -> ToolUseId {
        self.run(main_agent(), &format!("bd close {id}"))
    }

    pub(super) fn close_by_subagent(&mut self, id: &str) -> ToolUseId {
        self.run(subagent("s0"), &format!("bd close {id}"))
    }

    pub(super) fn end_call(&mut self, id: &ToolUseId, end: CallEnd) {
        self.step(&Input::CallEnded(EndedCall { id: Some(id), closes: &[], end }));
    }

    pub(super) fn person_speaks(&mut self) {
        self.prompt("go on");
        self.step(&Input::Prompted);
    }

    pub(super) fn create_todo(&mut self, id: &str) {
        let (id, subject) = (id.to_owned(), "A title".to_owned());
        let event =
            Event::TodoCreated { id: id.clone(), subject: subject.clone(), description: None };
        self.record(main_agent(), &event);
        self.step(&Input::TodoCreated { id: &id, subject: &subject });
    }

    pub(super) fn complete_todo(&mut self, id: &str) {
        let (owned, subject) = (id.to_owned(), "A title".to_owned());
        let event = Event::TodoCompleted { id: owned, subject, description: None };
        self.record(main_agent(), &event);
        self.step(&Input::TodoCompleted { id });
    }

    pub(super) fn take_start_tree(&mut self, id: &str) {
        let tree = StartTree::Tree(json!({ "id": id }));
        self.record(main_agent(), &Event::StartTreeTaken(tree));
    }

    pub(super) fn stop(&mut self) -> Say {
        self.stop_with(&stop_beside(&[]))
    }

    pub(super) fn stop_with(&mut self, request: &StopRequest) -> Say {
        let id = self.record(main_agent(), &Event::StopRequested(request.clone()));
        let files = self.files.clone();
        let facts = StopFacts {
            extent: Extent { changed: self.changed, files: &files },
            waits: self.state.session.waits_for_subagents(request, self.now()),
            may_refuse: self.state.stops.may_refuse(),
        };
        let say = self.step(&Input::Stop(facts));
        if let Say::RefuseStop(_) = say {
            self.deny(main_agent(), id, "reflect first");
        }
        say
    }

    pub(super) fn reflect(&mut self) -> Say {
        self.step(&Input::Reflection(Reflection::Taken { kept: 1, rejected: 0 }))
    }

    pub(super) fn reflect_badly(&mut self, why: &str) -> Say {
        self.step(&Input::Reflection(Reflection::Refused { why }))
    }

    pub(super) fn skip(&mut self, by: SkippedBy) -> Say {
        let (changed, files) = (self.changed, self.files.clone());
        let extent = Extent { changed, files: &files };
        self.step(&Input::Skip { by, reason: Some("nothing new"), extent })
    }
}
