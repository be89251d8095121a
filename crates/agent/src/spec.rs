//! What is known of a coding agent, as data: its events, what each can be answered, and the
//! functions that speak its dialect.

use serde_json::Value;
use verger_event::{Answer, ToolCall, ToolUseId};

use crate::headless::HeadlessSpec;
use crate::install_spec::InstallSpec;
use crate::registration::Registration;
use crate::{CLAUDE, Malformed, Observed};

/// Every agent that verger speaks with.
pub const AGENTS: &[AgentSpec] = &[CLAUDE];

/// The agent that `verger demo` plays, whose protocol the scripted model speaks.
pub const DEMONSTRATED: &AgentSpec = &CLAUDE;

/// The agent whose name stands on the hook's command line.
pub fn by_name(name: &str) -> Option<&'static AgentSpec> {
    AGENTS.iter().find(|agent| agent.name == name)
}

/// Reads what came with a call of the named event. An event that is not known is passed over.
pub type Decode = fn(event_name: &str, payload: &[u8]) -> Result<Option<Observed>, Malformed>;

/// Keeps what came with a call of the named event and could not be decoded, as an event of unknown
/// form in the session it came from. Nothing only for an event that is not known.
pub type Salvage = fn(event_name: &str, payload: &[u8]) -> Option<Observed>;

/// What to print for a call of the named event; nothing when there is nothing to say.
pub type Encode = fn(event_name: &str, answer: &Answer) -> Option<String>;

/// Reads a tool's name and input.
pub type ReadCall = fn(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall;

/// The input of a call in the program's own form.
pub type RawInput = fn(call: &ToolCall) -> Value;

/// The version of the program, asked of the hook's environment.
pub type TellVersion = fn(variable: &dyn Fn(&str) -> Option<String>) -> Option<String>;

/// What is known of one agent.
#[derive(Debug, Clone, Copy)]
pub struct AgentSpec {
    /// The word on the hook's command line.
    pub name: &'static str,
    /// The versions of the program that the table of events was tested with.
    pub tested_versions: &'static [&'static str],
    /// Every event that the program can call the hook for.
    pub events: &'static [HookEvent],
    /// Where and how verger is registered with the program.
    pub install: InstallSpec,
    /// How its program is run once, without a terminal.
    pub headless: HeadlessSpec,
    /// The longest context that reaches the model whole, in UTF-16 units. `encode` cuts a longer
    /// one and says so in the text.
    pub context_limit_chars: usize,
    /// Environment variables of the hook that hold the session's id.
    pub session_env: &'static [&'static str],
    /// The type of our plugin's subagent that reviews, where the program can tell whose calls are
    /// whose.
    pub reviewer: Option<&'static str>,
    /// The program's version, from the environment variables of the hook, where one tells it.
    pub version: TellVersion,
    /// Reads a payload.
    pub decode: Decode,
    /// Keeps a payload that `decode` refuses.
    pub salvage: Salvage,
    /// Writes an answer.
    pub encode: Encode,
    /// Reads a tool's name and input.
    pub call: ReadCall,
    /// Writes the input of a call.
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

    /// The events that verger asks to be called for, each with its limit in seconds if it needs one.
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
    /// The kinds of [`verger_event::Event`] that it becomes.
    pub kinds: &'static [&'static str],
    /// Whether its form is known from the program itself.
    pub capture: Capture,
    /// The parts of an answer that reach somebody. `encode` leaves out the others.
    pub carries: &'static [Carried],
    /// Whether verger asks to be called for it, and why.
    pub registration: Registration,
}

impl HookEvent {
    /// How it is known that this part of an answer has an effect; nothing when it is not sent.
    pub fn proof(&self, part: Part) -> Option<Proof> {
        self.carries.iter().find(|carried| carried.part == part).map(|carried| carried.proof)
    }
}

/// Whether the form of an event's payload is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// A real payload is among the fixtures.
    Captured,
    /// None was ever seen: the payload is kept as it came.
    Opaque,
}

/// A part of an answer that an event can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Carried {
    /// The part.
    pub part: Part,
    /// How its effect is known.
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
    /// Another input for the tool, which leaves it to the program whether the call may happen.
    Rewrite,
}

/// How it is known that a part of an answer has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// It was seen with the real program.
    Seen,
    /// The program's documentation says so.
    Documented,
}
