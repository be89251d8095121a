//! A scripted session and the records that hooks write for it: steps, scores and corrections.

use verger_drift::{Noted, READER, Reading, Track};
use verger_event::{
    Access, Actor, Circumstance, Continuation, Draft, EndReason, Event, EventId, FileOutcome, Fold,
    Grounds, HandoffTrigger, Interruption, Origin, ProjectId, PromptOrigin, ReadCall, Record,
    SearchCall, SearchTarget, SessionId, SessionKey, Standing, StartSource, StopRequest,
    TaskEnding, Timestamp, ToolCall, ToolOutput, ToolUse,
};
use verger_gate::drift::Watch;
use verger_gate::drift::{self, Due, Input, MAX_GOAL, Mode, Policy};

const SECOND: u64 = 1000;

verger_gate::session_state! {
    /// The parts of a session's state that drift needs.
    struct State {
        /// The state of drift.
        drift: Watch,
    }
}

/// A session. Every record is a second later than the previous one.
pub struct DriftScript {
    origin: Origin,
    policy: Policy,
    state: State,
    track: Track,
    start_ms: u64,
    records: u64,
    calls: u64,
    drafts: Vec<Draft>,
}

impl DriftScript {
    /// A session in the directory `cwd` that starts at `start_ms`, in mode observe.
    pub fn new(session: &str, cwd: &str, start_ms: u64) -> Self {
        Self {
            origin: Origin {
                agent: "claude".parse().unwrap(),
                agent_version: None,
                session: SessionId::new(session),
                actor: Actor::Main { agent_type: None },
                user: Some("dev".to_owned()),
                role: None,
                project: Some(ProjectId::new("b0b1")),
                circumstance: Circumstance { cwd: Some(cwd.to_owned()), ..Circumstance::default() },
            },
            policy: Policy::default(),
            state: State::default(),
            track: Track::default(),
            start_ms,
            records: 0,
            calls: 0,
            drafts: vec![],
        }
    }

    /// From now on the agent is given corrections.
    #[must_use]
    pub fn corrected(mut self) -> Self {
        self.policy.mode = Mode::Correct;
        self
    }

    /// Sets the session's project.
    #[must_use]
    pub fn in_project(mut self, project: Option<ProjectId>) -> Self {
        self.origin.project = project;
        self
    }

    /// Moves the session into a folder of its directory.
    #[must_use]
    pub fn within(mut self, folder: &str) -> Self {
        self.origin.circumstance.cwd = Some(self.path(folder));
        self
    }

    /// The key of the session.
    pub fn key(&self) -> SessionKey {
        self.origin.session_key()
    }

    /// Returns the records since the last call.
    pub fn take(&mut self) -> Vec<Draft> {
        std::mem::take(&mut self.drafts)
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The track so far.
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// Adds an event.
    pub fn event(&mut self, event: Event) -> Noted {
        self.records += 1;
        let at = self.at(self.records);
        let evidence = match &event {
            Event::GateChanged { gate, .. } if gate == READER => vec![self.id(self.records + 1)],
            Event::GateChanged { .. }
            | Event::TaskRecorded { .. }
            | Event::HandoffWritten { .. } => self.last_of_agent().into_iter().collect(),
            _ => vec![],
        };
        let draft = Draft {
            id: self.id(self.records),
            at,
            origin: self.origin.clone(),
            standing: Standing { evidence, ..Standing::default() },
            access: Access::default(),
            event,
        };
        let record = Record { seq: self.records, draft: draft.clone() };
        self.state.apply(&record);
        self.drafts.push(draft);
        self.track.take(&record)
    }

    fn at(&self, record: u64) -> Timestamp {
        Timestamp::from_millis(self.start_ms + SECOND * record)
    }

    fn id(&self, record: u64) -> EventId {
        EventId::new(self.at(record), (self.start_ms + record).into())
    }

    fn last_of_agent(&self) -> Option<EventId> {
        let mut drafts = self.drafts.iter().rev();
        drafts.find(|draft| !draft.event.is_of_verger()).map(|draft| draft.id)
    }

    /// Adds the start of the session.
    pub fn start(&mut self) -> &mut Self {
        let (source, model) = (StartSource::Startup, None);
        self.event(Event::SessionStarted { source, model, transcript: None, client: None });
        self
    }

    /// Adds a prompt that the reader program also reads.
    pub fn read_prompt(&mut self, words: &str, reading: &Reading) -> &mut Self {
        self.event(drift::reading_event(reading));
        self.prompt(words)
    }

    /// Adds a prompt.
    pub fn prompt(&mut self, words: &str) -> &mut Self {
        let prompt = words.to_owned();
        self.event(Event::PromptSubmitted { origin: PromptOrigin::Person, prompt });
        self
    }

    /// Adds a read of a file.
    pub fn read(&mut self, file: &str) -> &mut Self {
        let path = Some(self.path(file));
        let call = ToolCall::new("read", ToolUse::Read(ReadCall { path, from_line: None }));
        self.call(call, ToolOutput::default())
    }

    /// Adds a search for text.
    pub fn grep(&mut self, pattern: &str) -> &mut Self {
        let (target, pattern) = (SearchTarget::Text, Some(pattern.to_owned()));
        let search = SearchCall { target, pattern, ..SearchCall::default() };
        self.call(ToolCall::new("search", ToolUse::Search(search)), ToolOutput::default())
    }

    /// Adds an edit of a file.
    pub fn edit(&mut self, file: &str, old: &str, new: &str) -> &mut Self {
        let file_outcome = Some(FileOutcome { created: false, first_line: Some(47) });
        let output = ToolOutput { file: file_outcome, ..ToolOutput::default() };
        self.call(ToolCall::edit(self.path(file), old, new), output)
    }

    /// Adds a successful shell line.
    pub fn run(&mut self, command: &str, output: &str) -> &mut Self {
        self.call(ToolCall::shell(command), ToolOutput::text(output))
    }

    /// Adds a failed shell line.
    pub fn fail(&mut self, command: &str, error: &str) -> &mut Self {
        let call = self.with_id(ToolCall::shell(command));
        let (output, interruption) = (ToolOutput::text(error), Interruption::None);
        self.did(Event::ToolFailed { call, output, interruption, duration_ms: None })
    }

    /// Adds a tool call.
    pub fn call(&mut self, call: ToolCall, output: ToolOutput) -> &mut Self {
        let call = self.with_id(call);
        self.did(Event::ToolSucceeded { call, output, duration_ms: None })
    }

    /// Adds the end of the agent's turn.
    pub fn stop(&mut self, words: &str) -> &mut Self {
        self.event(Event::StopRequested(StopRequest {
            continuation: Continuation::First,
            last_message: Some(words.to_owned()),
            background: vec![],
            crons: vec![],
        }));
        self.step(Input::Ended(self.due()));
        self
    }

    /// Adds the record of the current task, which ends.
    pub fn record(&mut self, ending: TaskEnding) -> &mut Self {
        if let Some(record) = self.track.record_current(ending) {
            self.event(record.event());
        }
        self
    }

    /// Adds a handoff.
    pub fn hand_over(&mut self, trigger: HandoffTrigger) -> &mut Self {
        if let Some(handoff) = self.track.handoff(&[]) {
            let text = drift::handoff(&handoff, trigger, 4_000);
            self.event(Event::HandoffWritten { trigger, text });
        }
        self
    }

    /// Adds the end of the session.
    pub fn end(&mut self) -> &mut Self {
        self.event(Event::SessionEnded { reason: EndReason::Logout });
        self
    }

    fn path(&self, file: &str) -> String {
        let cwd = self.origin.circumstance.cwd.as_deref().unwrap_or_default();
        format!("{cwd}/{file}")
    }

    fn with_id(&mut self, call: ToolCall) -> ToolCall {
        self.calls += 1;
        call.with_id(format!("t{}", self.calls))
    }

    fn due(&self) -> Due {
        Due { assessment: self.track.assess(), goal: self.track.goal().summary(MAX_GOAL) }
    }

    fn did(&mut self, event: Event) -> &mut Self {
        let watch = &self.state.drift;
        let is_due = watch.is_unit(&self.origin.actor, &event) && watch.is_due(&self.policy);
        let moment = event.kind().to_owned();
        let Noted::Stepped { .. } = self.event(event) else { return self };
        if is_due {
            self.step(Input::Worked { due: self.due(), restored: vec![] });
        }
        if let Some((correction, finding)) = self.state.drift.pending() {
            let text = drift::message::correction(correction, finding);
            self.event(Event::ContextInjected {
                moment,
                on: self.last_of_agent(),
                sources: vec![drift::GATE.to_owned()],
                text,
                grounds: Grounds::default(),
                scores: [].into(),
                corrections: vec![],
            });
        }
        self
    }

    fn step(&mut self, input: Input) {
        let step = drift::step(&self.state.drift, input, &self.policy);
        for event in drift::events(&self.state.drift, &step.changes).0 {
            self.event(event);
        }
    }
}
