//! Decodes Gemini CLI's payloads into events.

use verger_event::{
    Actor, Circumstance, Continuation, Event, McpCall, PromptOrigin, SessionId, StopRequest,
    ToolCall, ToolUse,
};

use super::{tools, wire};
use crate::payload::Payload;
use crate::unread::Place;
use crate::{Malformed, Observed};

type Form = fn(&Payload<'_>) -> Result<Event, Malformed>;

const FORMS: &[(&str, Form)] = &[
    ("SessionStart", |payload| payload.read().map(session_started)),
    ("SessionEnd", |payload| payload.read().map(session_ended)),
    ("BeforeAgent", |payload| payload.read().map(prompt_submitted)),
    ("BeforeTool", |payload| payload.read().map(|it| Event::ToolRequested(call(&it)))),
    ("AfterTool", |payload| payload.read().map(tool_ended)),
    ("AfterAgent", |payload| payload.read().map(stop_requested)),
    ("Notification", |payload| payload.read().map(notified)),
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
    /// The session and its circumstances. Nothing marks a subagent.
    fn place(self) -> Place {
        Place {
            session: SessionId::new(self.session_id),
            actor: Actor::Main { agent_type: None },
            circumstance: Circumstance { cwd: self.cwd.0, ..Circumstance::default() },
        }
    }
}

fn session_started(it: wire::SessionStart) -> Event {
    let transcript = it.transcript_path.0;
    Event::SessionStarted { source: it.source.into(), model: None, transcript, client: None }
}

fn session_ended(it: wire::SessionEnd) -> Event {
    Event::SessionEnded { reason: it.reason.into() }
}

fn prompt_submitted(it: wire::BeforeAgent) -> Event {
    Event::PromptSubmitted { origin: PromptOrigin::Person, prompt: it.prompt }
}

fn call(it: &wire::Call) -> ToolCall {
    let input = it.tool_input.value().clone();
    let mut call = tools::call(None, it.tool_name.clone(), input);
    if let Some(wire::Mcp { server_name, tool_name }) = &it.mcp_context.0 {
        let (server, tool) = (server_name.clone(), tool_name.clone());
        call.action = ToolUse::Mcp(McpCall { server, tool });
    }
    call
}

fn tool_ended(it: wire::Call) -> Event {
    let call = call(&it);
    let outcome = tools::outcome(&call, it.tool_response.into());
    Event::tool_ended(call, outcome, None)
}

fn stop_requested(it: wire::AfterAgent) -> Event {
    let continuation = match it.stop_hook_active.0 {
        Some(true) => Continuation::AfterRefusal,
        Some(false) | None => Continuation::First,
    };
    let last_message = it.prompt_response.0;
    let stop = StopRequest { continuation, last_message, background: vec![], crons: vec![] };
    Event::StopRequested(stop)
}

fn notified(it: wire::Notification) -> Event {
    Event::Notified { kind: it.notification_type, message: it.message }
}
