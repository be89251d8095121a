//! The specification of a coding agent, as data: its events, the possible answers to each, and the
//! functions that decode and encode its format.

use serde_json::Value;
use verger_event::{Answer, ToolCall, ToolUseId};

use crate::headless::HeadlessSpec;
use crate::install_spec::InstallSpec;
use crate::registration::Registration;
use crate::{CLAUDE, CODEX, COPILOT, GEMINI, Malformed, Observed, claude};

/// The supported agents.
pub const AGENTS: &[AgentSpec] = &[CLAUDE, CODEX, GEMINI, COPILOT];

/// The agent that `verger demo` runs, whose protocol the scripted model uses.
pub const DEMONSTRATED: &AgentSpec = &CLAUDE;

/// How [`DEMONSTRATED`] is run once, without a terminal.
pub const DEMONSTRATED_RUN: HeadlessSpec = claude::HEADLESS;

/// The agent with this name, which is on the hook's command line.
pub fn by_name(name: &str) -> Option<&'static AgentSpec> {
    AGENTS.iter().find(|agent| agent.name == name)
}

/// Decodes the payload of a call of the named event. `None` for an unknown event.
pub type Decode = fn(event_name: &str, payload: &[u8]) -> Result<Option<Observed>, Malformed>;

/// Keeps a payload that could not be decoded, as an opaque event in its session. `None` only for an
/// unknown event.
pub type Salvage = fn(event_name: &str, payload: &[u8]) -> Option<Observed>;

/// The output for a call of the named event. `None` if there is none.
pub type Encode = fn(event_name: &str, answer: &Answer) -> Option<String>;

/// Parses a tool's name and input.
pub type ReadCall = fn(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall;

/// The input of a call in the client's form.
pub type RawInput = fn(call: &ToolCall) -> Value;

/// The version of the program, from the hook's environment.
pub type TellVersion = fn(variable: &dyn Fn(&str) -> Option<String>) -> Option<String>;

/// The specification of one agent.
#[derive(Debug, Clone, Copy)]
pub struct AgentSpec {
    /// The word on the hook's command line.
    pub name: &'static str,
    /// The versions of the program that the table of events was tested with.
    pub tested_versions: &'static [&'static str],
    /// Every event that the program can call the hook for.
    pub events: &'static [HookEvent],
    /// The places in which verger is registered with the program.
    pub install: InstallSpec,
    /// The arguments with which its program judges a text on standard input: without settings of
    /// the user or of a project, so that no hook is called, and without tools.
    pub judge: &'static [&'static str],
    /// The longest context that reaches the model unchanged, in UTF-16 units. `encode` cuts a
    /// longer one and says so in the text.
    pub context_limit_chars: usize,
    /// Environment variables of the hook that hold the session's id.
    pub session_env: &'static [&'static str],
    /// The type of the plugin's reviewer subagent, if the program tells which subagent makes a
    /// call.
    pub reviewer: Option<&'static str>,
    /// The program's version, from the hook's environment, if a variable tells it.
    pub version: TellVersion,
    /// Decodes a payload.
    pub decode: Decode,
    /// Keeps a payload that `decode` refuses.
    pub salvage: Salvage,
    /// Encodes an answer.
    pub encode: Encode,
    /// Parses a tool's name and input.
    pub call: ReadCall,
    /// Renders the input of a call.
    pub input: RawInput,
}

impl AgentSpec {
    /// The event of that name.
    pub fn event(&self, name: &str) -> Option<&'static HookEvent> {
        self.events.iter().find(|event| event.name == name)
    }

    /// Whether the answer to events of this kind can carry a part.
    pub fn carries(&self, kind: &str, part: Part) -> bool {
        let of_kind = |event: &&HookEvent| event.kinds.contains(&kind);
        self.events.iter().filter(of_kind).any(|event| event.proof(part).is_some())
    }

    /// The events for which verger registers a hook, each with its limit in seconds if it needs
    /// one.
    pub fn registered_events(&self) -> impl Iterator<Item = (&'static HookEvent, Option<u32>)> {
        self.events.iter().filter_map(|event| match event.registration {
            Registration::Registered { timeout_seconds, .. } => Some((event, timeout_seconds)),
            Registration::Left { .. } => None,
        })
    }
}

/// One event that a program can call the hook for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookEvent {
    /// Its name in the program's configuration.
    pub name: &'static str,
    /// The kinds of [`verger_event::Event`] that it is decoded to.
    pub kinds: &'static [&'static str],
    /// Whether a real payload of it was captured.
    pub capture: Capture,
    /// The parts of an answer that have an effect. `encode` leaves out the others.
    pub carries: &'static [Carried],
    /// Whether verger registers a hook for it, and why.
    pub registration: Registration,
}

impl HookEvent {
    /// The evidence that this part of an answer has an effect. `None` if the part is not sent.
    pub fn proof(&self, part: Part) -> Option<Proof> {
        self.carries.iter().find(|carried| carried.part == part).map(|carried| carried.proof)
    }

    /// The text, if there is any and the event can carry this part.
    pub(crate) fn carried<'a>(&self, part: Part, text: Option<&'a str>) -> Option<&'a str> {
        text.filter(|text| !text.is_empty() && self.proof(part).is_some())
    }
}

/// Whether the form of an event's payload is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// A real payload is among the fixtures.
    Captured,
    /// No real payload was ever seen. Payloads are kept as they are.
    Opaque,
}

/// A part of an answer that an event can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Carried {
    /// The part.
    pub part: Part,
    /// The evidence of its effect.
    pub proof: Proof,
}

/// A part of an [`Answer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// [`verger_event::Verdict::Allow`].
    Allow,
    /// [`verger_event::Verdict::Ask`].
    Ask,
    /// [`verger_event::Verdict::Deny`].
    Deny,
    /// Text for the model.
    Context,
    /// Text for the person.
    Notice,
    /// A rewritten input for the tool. The program still decides whether the call may happen.
    Rewrite,
}

/// The evidence that a part of an answer has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// It was seen with the real program.
    Seen,
    /// The program's documentation says so.
    Documented,
}
