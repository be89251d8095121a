//! The specification of a coding agent: its events, the supported answers to each event, and the
//! functions that decode and encode its format.

use serde_json::Value;
use verger_event::{Answer, SessionId, ToolCall, ToolUseId};

use crate::capabilities::BlindSpot;
use crate::headless::HeadlessSpec;
use crate::install_spec::InstallSpec;
use crate::registration::Registration;
use crate::{CLAUDE, CODEX, COPILOT, GEMINI, Malformed, Observed, claude};

/// The supported agents.
pub const AGENTS: &[AgentSpec] = &[CLAUDE, CODEX, GEMINI, COPILOT];

/// The agent that `verger demo` runs. The scripted model service implements this agent's
/// protocol.
pub const DEMONSTRATED: &AgentSpec = &CLAUDE;

/// How [`DEMONSTRATED`] is run once, without a terminal.
pub const DEMONSTRATED_RUN: HeadlessSpec = claude::HEADLESS;

/// The agent with this name, which is on the hook's command line.
pub fn by_name(name: &str) -> Option<&'static AgentSpec> {
    AGENTS.iter().find(|agent| agent.name == name)
}

/// Decodes the payload of a hook call for the named event. Returns `None` for an unknown event.
pub type Decode = fn(event_name: &str, payload: &[u8]) -> Result<Option<Observed>, Malformed>;

/// Keeps a payload that could not be decoded, as an unknown event in its session. Returns `None`
/// only for an unknown event name.
pub type Salvage = fn(event_name: &str, payload: &[u8]) -> Option<Observed>;

/// The output of a hook call for the named event. `None` means no output.
pub type Encode = fn(event_name: &str, answer: &Answer) -> Option<String>;

/// Parses a tool's name and input.
pub type ReadCall = fn(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall;

/// The input of a call, in the client's format.
pub type RawInput = fn(call: &ToolCall) -> Value;

/// The version of the program, read from the hook's environment variables.
pub type TellVersion = fn(variable: &dyn Fn(&str) -> Option<String>) -> Option<String>;

/// Whether another program made the hook call of this session, told by environment variables.
pub type IsForeign = fn(variable: &dyn Fn(&str) -> Option<String>, session: &SessionId) -> bool;

/// The specification of one agent.
#[derive(Debug, Clone, Copy)]
pub struct AgentSpec {
    /// The agent's name on the hook's command line.
    pub name: &'static str,
    /// The program versions with which the event table was tested.
    pub tested_versions: &'static [&'static str],
    /// All events for which the program can call hooks.
    pub events: &'static [HookEvent],
    /// Where verger is registered with the program.
    pub install: InstallSpec,
    /// The arguments with which its program judges a text on standard input: without settings of
    /// the user or of a project, so that no hook is called, and without tools.
    pub judge: &'static [&'static str],
    /// The longest context that reaches the model unchanged, in UTF-16 units. `encode` cuts a
    /// longer one and says so in the text.
    pub context_limit_chars: usize,
    /// Environment variables of hooks that contain the session's id.
    pub session_env: &'static [&'static str],
    /// The type of the plugin's reviewer subagent. `None` if the program doesn't report which
    /// subagent makes a call.
    pub reviewer: Option<&'static str>,
    /// Whether the program may run a session without tools, in which no command of verger can
    /// satisfy a gate. A gate refuses a stop only after the session's first tool call.
    pub gates_need_a_tool_call: bool,
    /// The cases in which a policy is covered less than the tables say.
    pub blind_spots: &'static [BlindSpot],
    /// Reads the program's version from the hook's environment variables.
    pub version: TellVersion,
    /// Whether another program made the hook call, because it runs this agent's hooks too.
    pub is_foreign: IsForeign,
    /// Decodes a payload.
    pub decode: Decode,
    /// Keeps a payload that `decode` rejects.
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

    /// Whether the answer to events of this kind supports a part.
    pub fn carries(&self, kind: &str, part: Part) -> bool {
        let of_kind = |event: &&HookEvent| event.kinds.contains(&kind);
        self.events.iter().filter(of_kind).any(|event| event.proof(part).is_some())
    }

    /// The events for which verger registers a hook. Each has a time limit in seconds if the
    /// agent's default doesn't fit.
    pub fn registered_events(&self) -> impl Iterator<Item = (&'static HookEvent, Option<u32>)> {
        self.events.iter().filter_map(|event| match event.registration {
            Registration::Registered { timeout_seconds, .. } => Some((event, timeout_seconds)),
            Registration::Left { .. } => None,
        })
    }
}

/// An event for which a program can call hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookEvent {
    /// The event's name in the program's configuration.
    pub name: &'static str,
    /// The kinds of [`verger_event::Event`] that the event is decoded to.
    pub kinds: &'static [&'static str],
    /// Whether a real payload was captured.
    pub capture: Capture,
    /// The parts of an answer that have an effect on this event. `encode` leaves out other parts.
    pub carries: &'static [Carried],
    /// Whether and why verger registers a hook for the event.
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

/// Whether the format of an event's payload is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// A real payload is among the fixtures.
    Captured,
    /// No real payload was captured. Payloads are stored unparsed.
    Opaque,
}

/// A part of an answer that an event supports.
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
    /// A rewritten input for the tool. The program still decides whether the call may run.
    Rewrite,
}

/// The evidence that a part of an answer has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The effect was seen with the real program.
    Seen,
    /// The program's documentation describes the effect.
    Documented,
}
