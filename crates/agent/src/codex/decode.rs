//! Decodes Codex's payloads into events.

use verger_event::{
    Circumstance, Continuation, Event, PromptId, PromptOrigin, SessionId, StopRequest, ToolCall,
    ToolUseId,
};

use super::{tools, wire};
use crate::lenient::Lenient;
use crate::payload::{Id, Kept, Payload, actor};
use crate::unread::Place;
use crate::{Malformed, Observed};

type Form = fn(&Payload<'_>) -> Result<Event, Malformed>;

const FORMS: &[(&str, Form)] = &[
    ("SessionStart", |payload| payload.read().map(session_started)),
    ("SessionEnd", |payload| payload.read().map(session_ended)),
    ("UserPromptSubmit", |payload| payload.read().map(prompt_submitted)),
    ("PreToolUse", |payload| payload.read().map(tool_requested)),
    ("PermissionRequest", |payload| payload.read().map(permission_asked)),
    ("PostToolUse", |payload| payload.read().map(tool_ended)),
    ("Stop", |payload| payload.read().map(|stop| Event::StopRequested(stop_request(stop).0))),
    ("SubagentStart", |payload| payload.read().map(|_: wire::Subagent| Event::SubagentStarted)),
    ("SubagentStop", subagent_stop),
    ("PreCompact", |payload| payload.read().map(compaction_started)),
    ("PostCompact", |payload| payload.read().map(compaction_ended)),
];

/// Decodes the payload of a call of `event_name`. `None` for an unknown event, and for one that is
/// not about the work, such as a request to the model.
pub(super) fn decode(event_name: &str, payload: &[u8]) -> Result<Option<Observed>, Malformed> {
    let Some((name, form)) = FORMS.iter().find(|(name, _)| *name == event_name) else {
        return Ok(None);
    };
    let payload = Payload::new(name, payload)?;
    let mut common: wire::Common = payload.read()?;
    if let Some(found) = common.hook_event_name.0.take_if(|found| found != name) {
        return Err(Malformed::EventMismatch { event: name, found });
    }
    Ok(Some(common.place().observe(form(&payload)?)))
}

/// The place of a payload, without its event.
pub(super) fn place(payload: &Payload<'_>) -> Result<Place, Malformed> {
    payload.read().map(wire::Common::place)
}

impl wire::Common {
    /// The session, the agent and its circumstances.
    fn place(self) -> Place {
        Place {
            session: SessionId::new(self.session_id),
            actor: actor(self.agent_id, self.agent_type.0),
            circumstance: Circumstance {
                cwd: self.cwd.0,
                prompt: self.turn_id.0.map(PromptId::new),
                permission_mode: self.permission_mode.0,
                effort: None,
            },
        }
    }
}

fn session_started(it: wire::SessionStart) -> Event {
    let (model, transcript) = (it.model.0, it.transcript_path.0);
    Event::SessionStarted { source: it.source.into(), model, transcript, client: None }
}

fn session_ended(it: wire::SessionEnd) -> Event {
    Event::SessionEnded { reason: it.reason.into() }
}

fn prompt_submitted(it: wire::UserPromptSubmit) -> Event {
    Event::PromptSubmitted { origin: PromptOrigin::Person, prompt: it.prompt }
}

fn call(id: Lenient<Id>, tool: String, input: Kept) -> ToolCall {
    tools::call(id.0.map(ToolUseId::new), tool, input.into())
}

fn tool_requested(it: wire::Call) -> Event {
    Event::ToolRequested(call(it.tool_use_id, it.tool_name, it.tool_input))
}

fn permission_asked(it: wire::Call) -> Event {
    let call = call(it.tool_use_id, it.tool_name, it.tool_input);
    Event::PermissionAsked { call, suggestions: vec![] }
}

fn tool_ended(it: wire::PostToolUse) -> Event {
    let call = call(it.tool_use_id, it.tool_name, it.tool_input);
    let outcome = tools::outcome(&call, it.tool_response.into());
    Event::tool_ended(call, outcome, None)
}

fn stop_request(it: wire::Stop) -> (StopRequest, Option<String>) {
    let continuation = match it.stop_hook_active.0 {
        Some(true) => Continuation::AfterRefusal,
        Some(false) | None => Continuation::First,
    };
    let last_message = it.last_assistant_message.0;
    let stop = StopRequest { continuation, last_message, background: vec![], crons: vec![] };
    (stop, it.agent_transcript_path.0)
}

fn subagent_stop(payload: &Payload<'_>) -> Result<Event, Malformed> {
    payload.read::<wire::Subagent>()?;
    let (stop, transcript) = payload.read().map(stop_request)?;
    Ok(Event::SubagentStopRequested { stop, transcript })
}

fn compaction_started(it: wire::Compact) -> Event {
    Event::CompactionStarted { trigger: it.trigger.into(), instructions: None }
}

fn compaction_ended(it: wire::Compact) -> Event {
    Event::CompactionEnded { trigger: it.trigger.into(), summary: None }
}
