//! The log in a form that tests can compare: one line per record. Ids vary from run to run, so
//! they are replaced by numbers in order of appearance.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use verger_agent::CLAUDE;
use verger_event::{
    Actor, BackgroundStatus, BatchedCall, Continuation, Event, Outcome, PromptOrigin, Record,
    SessionKey, StartTree, StopRequest, ToolCall, ToolOutput, ToolUseId, Verdict, stored,
};
use verger_store::{Entry, Options, ReadLog, SegmentName, Sessions, Turn};
use verger_store_local::{Fault, LocalStore};
use verger_testkit::TestEnvironment;

/// The log of an environment.
pub(crate) struct Log(LocalStore);

impl Log {
    #[track_caller]
    pub(crate) fn of(environment: &TestEnvironment) -> Self {
        Self::in_directory(&environment.verger_home().join("data"))
    }

    #[track_caller]
    pub(crate) fn in_directory(data: &Path) -> Self {
        Self(LocalStore::open(data, Options::default()).unwrap())
    }

    /// The sessions, oldest first.
    #[track_caller]
    pub(crate) fn sessions(&self) -> Vec<SessionKey> {
        let stems = self.0.session_stems().unwrap();
        let mut sessions: Vec<_> =
            stems.iter().filter_map(|stem| self.0.key_of(stem).unwrap()).collect();
        sessions.sort_by_key(|key| self.records(key)[0].draft.id);
        sessions
    }

    #[track_caller]
    pub(crate) fn entries(&self, key: &SessionKey) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.0.read(key, &mut |entry| entries.push(entry)).unwrap();
        entries
    }

    /// The records of a session. Spilled records come last.
    #[track_caller]
    pub(crate) fn records(&self, key: &SessionKey) -> Vec<Record> {
        let records = self.entries(key).into_iter().filter_map(|entry| match entry {
            Entry::Record(record) | Entry::Spilled(record) => Some(*record),
            Entry::Foreign { .. } | Entry::Bad { .. } => None,
        });
        records.collect()
    }

    /// Appends an event to the session of the record `beside`, as another verger program would.
    #[cfg(feature = "fixed")]
    #[track_caller]
    pub(crate) fn append(&self, beside: &Record, event: Event) {
        self.append_all(beside, [event].into_iter());
    }

    /// Appends several events in one commit.
    #[cfg(feature = "fixed")]
    #[track_caller]
    pub(crate) fn append_all(&self, beside: &Record, events: impl Iterator<Item = Event>) {
        let key = beside.draft.origin.session_key();
        let before = self.records(&key).len() as u64;
        let drafts = (before..).zip(events).map(|(number, event)| {
            let id = beside.draft.id.derived(number);
            verger_event::Draft { id, event, ..beside.draft.clone() }
        });
        self.0.open::<verger_engine::State>(&key).unwrap().commit(drafts.collect()).unwrap();
    }

    /// The records of all sessions, session by session.
    #[track_caller]
    pub(crate) fn all(&self) -> Vec<Record> {
        self.sessions().iter().flat_map(|key| self.records(key)).collect()
    }

    /// The faults that `verger log verify` would report.
    #[track_caller]
    pub(crate) fn faults(&self) -> Vec<Fault> {
        let segments = self.0.segments().unwrap();
        segments.iter().flat_map(|segment| self.0.verify(segment).unwrap().faults).collect()
    }

    /// All records of all sessions, as lines with number, actor, kind, prompt, task, outcome, and
    /// the most important part of the event. Each session except the first starts with a separate
    /// line.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut names = Names::default();
        let mut lines = Vec::new();
        for (number, key) in self.sessions().iter().enumerate() {
            if number > 0 {
                lines.push(format!("session {}", number + 1));
            }
            lines.extend(self.records(key).iter().map(|record| line(record, &mut names)));
        }
        lines
    }
}

/// Waits until the log in `data` has a record of this kind. Fails after 20 seconds.
#[track_caller]
pub(crate) fn wait_for_kind(data: &Path, kind: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    let store = LocalStore::open(data, Options::default()).unwrap();
    loop {
        let mut is_there = false;
        for segment in store.segments().unwrap() {
            // A durable record is also copied to its project's segment. The copy is written last,
            // so only project segments are searched for it.
            let is_project = matches!(segment, SegmentName::Project(_));
            let mut look = |entry| {
                if let Entry::Record(record) | Entry::Spilled(record) = entry {
                    let event = &record.draft.event;
                    is_there |= event.kind() == kind && (is_project || !event.is_durable());
                }
            };
            store.read_segment(&segment, &mut look).unwrap();
        }
        if is_there {
            return;
        }
        assert!(Instant::now() < deadline, "there was no {kind} in the log");
        thread::park_timeout(Duration::from_millis(5));
    }
}

/// Short names for ids, numbered in order of appearance.
#[derive(Default)]
struct Names {
    ids: Vec<(char, String)>,
    /// The tools of calls, by the ids of the calls.
    tools: BTreeMap<ToolUseId, String>,
}

impl Names {
    fn of(&mut self, letter: char, id: &str) -> String {
        let known: Vec<_> = self.ids.iter().filter(|(known, _)| *known == letter).collect();
        let found = known.iter().position(|(_, known)| known == id);
        let position = found.unwrap_or(known.len());
        if found.is_none() {
            self.ids.push((letter, id.to_owned()));
        }
        format!("{letter}{}", position + 1)
    }

    fn call(&mut self, call: &ToolCall) -> String {
        match &call.id {
            Some(id) => {
                self.tools.insert(id.clone(), call.tool.clone());
                format!("{} {}", self.of('C', id.as_str()), call.tool)
            }
            None => call.tool.clone(),
        }
    }

    fn recorded_call(&mut self, id: &ToolUseId) -> String {
        let tool = self.tools.get(id).cloned().unwrap_or_default();
        format!("{} {tool}", self.of('C', id.as_str()))
    }
}

fn line(record: &Record, names: &mut Names) -> String {
    let draft = &record.draft;
    let actor = match &draft.origin.actor {
        Actor::Main { agent_type: None } => "main".to_owned(),
        Actor::Main { agent_type: Some(agent_type) } => format!("main:{agent_type}"),
        Actor::Subagent { id, agent_type } => {
            format!("{}:{agent_type}", names.of('A', id.as_str()))
        }
    };
    let prompt = draft.origin.circumstance.prompt.as_ref();
    let prompt = prompt.map_or("-".to_owned(), |prompt| names.of('P', prompt.as_str()));
    let task = draft.standing.task.map(|task| names.of('T', &task.0.to_string()));
    let outcome = match draft.standing.outcome {
        None => "-",
        Some(Outcome::Succeeded) => "succeeded",
        Some(Outcome::Failed) => "failed",
        Some(Outcome::Interrupted) => "interrupted",
    };
    let (seq, kind) = (record.seq, draft.event.kind());
    let task = task.unwrap_or("-".to_owned());
    let details = details(&draft.event, names);
    format!("{seq} {actor} {kind} {prompt} {task} {outcome} {details}").trim_end().to_owned()
}

fn details(event: &Event, names: &mut Names) -> String {
    match event {
        Event::SessionStarted { source, .. } => format!("{source:?}"),
        Event::SessionEnded { reason } => reason.as_str().to_owned(),
        Event::PromptSubmitted { origin: PromptOrigin::Person, prompt } => format!("{prompt:?}"),
        Event::PromptSubmitted {
            origin: PromptOrigin::TaskNotification { tool_use, status, .. },
            ..
        } => {
            let tool_use = tool_use.as_ref().map(|id| names.of('C', id.as_str()));
            format!(
                "notification {} {}",
                tool_use.unwrap_or_default(),
                status.as_ref().map_or("", BackgroundStatus::as_str)
            )
        }
        Event::ToolRequested(call) => format!("{} {}", names.call(call), (CLAUDE.input)(call)),
        Event::ToolSucceeded { call, output, .. } => {
            format!("{} {}", names.call(call), gist(output))
        }
        Event::ToolFailed { call, output, .. } => {
            format!("{} {:?}", names.call(call), output.text)
        }
        Event::ToolBatchEnded { calls } => {
            let calls = calls.iter().map(|batched| match batched {
                BatchedCall::Reported { call, .. } => names.call(call),
                BatchedCall::Recorded(id) => names.recorded_call(id),
            });
            calls.collect::<Vec<_>>().join(", ")
        }
        Event::StopRequested(stop) | Event::SubagentStopRequested { stop, .. } => self::stop(stop),
        Event::SubagentStarted => String::new(),
        Event::CompactionStarted { trigger, instructions: None } => trigger.to_string(),
        Event::CompactionForkEnded { summary: Some(summary), .. } => format!("{summary:?}"),
        Event::CompactionEnded { trigger, summary: Some(summary) } => {
            format!("{trigger} {summary:?}")
        }
        Event::StartTreeTaken(StartTree::Tree(_)) => "a tree".to_owned(),
        Event::GateChanged { gate, from, to, cause, .. } => {
            format!("{gate} {from} -> {to}: {cause}")
        }
        Event::VerdictGiven { verdict, by, .. } => {
            let by: Vec<_> = by.iter().map(|opinion| opinion.by.as_str()).collect();
            format!("{} by {}", word(verdict), by.join(", "))
        }
        Event::GuardJudged { triage, rule, sent, .. } => format!("{triage} by {rule}: {sent}"),
        Event::CallRewritten { by, rules, .. } => format!("{by}: {}", rules.join(", ")),
        Event::ContextInjected { moment, sources, .. } => {
            format!("{moment}: {}", sources.join(", "))
        }
        other => stored::payload_json(other).unwrap(),
    }
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::NoOpinion => "no opinion",
        Verdict::Allow { .. } => "allow",
        Verdict::Ask { .. } => "ask",
        Verdict::Deny { .. } => "deny",
    }
}

fn stop(stop: &StopRequest) -> String {
    let refused = match stop.continuation {
        Continuation::First => "",
        Continuation::AfterRefusal => "after refusal ",
    };
    let background = match stop.background.len() {
        0 => String::new(),
        running => format!(" with {running} in the background"),
    };
    format!("{refused}{:?}{background}", stop.last_message.as_deref().unwrap_or_default())
}

/// The part of a tool's output that is the same in every run.
fn gist(output: &ToolOutput) -> String {
    match output.text.as_str() {
        "" => output.rest.get("status").unwrap_or(&output.rest).to_string(),
        text => Value::from(text).to_string(),
    }
}
