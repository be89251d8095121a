//! A test session with the verification gate, which records events and decides about inputs.

use std::ops::{Deref, DerefMut};

use verger_event::{ContentHash, Event, StopRequest};

use super::super::own_checks::{self, OpenTask};
use super::super::*;
use super::built::verified;
use crate::played::{Played, main_agent, stop_beside};
use crate::{Content, Difference};

pub(super) struct Play {
    played: Played,
    pub(super) policy: Policy,
    /// The current content of the work.
    pub(super) content: Content,
    /// The depth that the next verification needs.
    pub(super) depth: Depth,
    /// The number of open items on the agent's list.
    pub(super) open_tasks: usize,
    /// The changes of the gate that the last inputs caused.
    pub(super) changes: Vec<Change>,
    /// The project's directory, if the person doesn't trust it.
    pub(super) untrusted: Option<String>,
    runs: u32,
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

pub(super) fn content(name: &str) -> Content {
    Content { hash: ContentHash::new(name), difference: Difference::Files(1) }
}

pub(super) fn mode(mode: Mode) -> Policy {
    Policy { mode, ..Policy::default() }
}

impl Play {
    pub(super) fn new(policy: Policy) -> Self {
        Self {
            played: Played::default(),
            policy,
            content: Content::nothing(),
            depth: Depth::Quick,
            open_tasks: 0,
            changes: vec![],
            untrusted: None,
            runs: 0,
        }
    }

    pub(super) fn gate(&self) -> &Verification {
        &self.state.verification
    }

    /// Decides about an input and records the resulting events. The gate's state is the fold of the
    /// earlier records.
    pub(super) fn step(&mut self, input: &Input<'_>) -> Say {
        let before = self.state.verification.clone();
        let now = self.now();
        let step = step(&before, input, &self.policy, now);
        for event in events(&before, &step, now) {
            self.record(main_agent(), &event);
        }
        assert_eq!(self.state.verification, step.applied_to(&before, now));
        self.changes.extend(step.changes);
        step.say
    }

    pub(super) fn edit(&mut self, name: &str) {
        self.edit_file("a.rs");
        self.content = content(name);
    }

    /// Starts and ends a verification of the current content.
    pub(super) fn verify(&mut self, depth: Depth, status: Status) {
        let found = self.found(depth, status);
        let run = found.run.clone();
        self.step(&Input::Started { run: &run, depth, content: &found.content.clone() });
        self.step(&Input::Ended(&found));
    }

    pub(super) fn found(&mut self, depth: Depth, status: Status) -> Verified {
        self.runs += 1;
        let issues = match status {
            Status::Red => vec![super::built::issue("unused variable")],
            Status::Green | Status::Incomplete => vec![],
        };
        let run = format!("r{}", self.runs);
        Verified { run, issues, ..verified(self.content.hash.as_str(), depth, status) }
    }

    pub(super) fn fail(&mut self, what: &str) {
        self.step(&Input::Failed { what, kind: WatchedKind::Tests });
    }

    pub(super) fn succeed(&mut self, what: &str) {
        self.step(&Input::Succeeded { what });
    }

    /// Requests a stop after the agent's last message.
    pub(super) fn stop(&mut self, message: &str) -> Say {
        self.stop_with(message, &stop_beside(&[]))
    }

    pub(super) fn stop_with(&mut self, message: &str, request: &StopRequest) -> Say {
        let last_message = Some(message.to_owned());
        let request = StopRequest { last_message, ..request.clone() };
        let id = self.record(main_agent(), &Event::StopRequested(request.clone()));
        let open: Vec<_> = (0..self.open_tasks)
            .map(|number| OpenTask { id: number.to_string(), subject: None })
            .collect();
        let live = [(CheckKind::OpenTasks, own_checks::open_tasks(&open))];
        let (said, content) = (claim(message), self.content.clone());
        let untrusted = self.untrusted.clone();
        let facts = StopFacts {
            claim: said.as_ref(),
            content: &content,
            depth: self.depth,
            live: &live,
            review_step: "Have it reviewed.",
            waits: self.state.session.waits_for_subagents(&request, self.now()),
            may_refuse: self.state.stops.may_refuse(),
            untrusted: untrusted.as_deref(),
        };
        let say = self.step(&Input::Stop(facts));
        if let Say::RefuseStop(_) = say {
            self.deny(main_agent(), id, "verify first");
        }
        say
    }

    pub(super) fn skip(&mut self) -> Say {
        self.step(&Input::Skip { reason: Some("it is late") })
    }
}
