//! Decodes Copilot CLI's payloads into events.

use serde_json::Value;
use verger_event::{
    Actor, Circumstance, Continuation, Event, Interruption, PromptOrigin, SessionId, StopRequest,
    ToolOutcome, ToolOutput,
};

use super::{tools, wire};
use crate::payload::{MAX_ID_BYTES, Payload, actor};
use crate::unread::Place;
use crate::{Malformed, Observed};

type Form = fn(&Payload<'_>) -> Result<Event, Malformed>;

const FORMS: &[(&str, Form)] = &[
    ("sessionStart", |payload| payload.read().map(session_started)),
    ("sessionEnd", |payload| payload.read().map(session_ended)),
    ("userPromptSubmitted", |payload| payload.read().map(prompt_submitted)),
    ("preToolUse", |payload| payload.read().map(tool_requested)),
    ("permissionRequest", |payload| payload.read().map(permission_asked)),
    ("postToolUse", |payload| payload.read().map(tool_ended)),
    ("postToolUseFailure", |payload| payload.read().map(tool_refused)),
    ("agentStop", |payload| payload.read().map(|it| Event::StopRequested(stop_request(it)))),
    ("subagentStart", |payload| payload.read().map(|_: wire::Subagent| Event::SubagentStarted)),
    ("subagentStop", subagent_stop),
    ("preCompact", |payload| payload.read().map(compaction_started)),
    ("notification", |payload| payload.read().map(notified)),
];

/// Decodes the payload of a call of `event_name`. `None` for an unknown event, for one that is not
/// about the work, and for the stop of a subagent that comes before its `subagentStop`.
pub(super) fn decode(event_name: &str, payload: &[u8]) -> Result<Option<Observed>, Malformed> {
    let Some((name, form)) = FORMS.iter().find(|(name, _)| *name == event_name) else {
        return Ok(None);
    };
    let payload = Payload::new(name, payload)?;
    let place = place(&payload)?;
    let is_subagent = matches!(place.actor, Actor::Subagent { .. });
    if is_subagent && *name == "agentStop" {
        return Ok(None);
    }
    Ok(Some(place.observe(form(&payload)?)))
}

/// The session, the agent and its circumstances. Most events of a subagent have its own id in the
/// place of the session's. The transcript is the session's, and some events name it.
pub(super) fn place(payload: &Payload<'_>) -> Result<Place, Malformed> {
    let common: wire::Common = payload.read()?;
    let actor = actor(common.agent_id, common.agent_type.0);
    let mut session = SessionId::new(common.session_id);
    if let Actor::Subagent { id, .. } = &actor {
        let transcript = common.transcript_path.0;
        if let Some(named) = transcript.as_deref().and_then(session_of_transcript) {
            session = SessionId::new(named);
        } else if let Some(parent) = common.parent_agent_id.0
            && id.as_str() == session.as_str()
        {
            session = SessionId::new(parent);
        }
    }
    Ok(Place {
        session,
        actor,
        circumstance: Circumstance { cwd: common.cwd.0, ..Circumstance::default() },
    })
}

/// The session of a transcript: `.../session-state/<session>/events.jsonl`.
fn session_of_transcript(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once(['/', '\\'])?;
    let (parents, session) = folder.rsplit_once(['/', '\\'])?;
    let is_id = !session.is_empty() && session.len() <= MAX_ID_BYTES;
    Some(session).filter(|_| is_id && parents.ends_with("session-state"))
}

fn session_started(it: wire::SessionStart) -> Event {
    let source = if it.source == "new" { "startup".to_owned() } else { it.source };
    Event::SessionStarted { source: source.into(), model: None, transcript: None, client: None }
}

fn session_ended(it: wire::SessionEnd) -> Event {
    Event::SessionEnded { reason: it.reason.into() }
}

fn prompt_submitted(it: wire::Prompt) -> Event {
    Event::PromptSubmitted { origin: PromptOrigin::Person, prompt: it.prompt }
}

fn tool_requested(it: wire::Call) -> Event {
    Event::ToolRequested(tools::call(None, it.tool_name, it.tool_args.into()))
}

fn permission_asked(it: wire::PermissionRequest) -> Event {
    let call = tools::asked_call(it.tool_name, it.tool_input.into());
    let suggestions = it.permission_suggestions.into_fitting().map(Value::from).collect();
    Event::PermissionAsked { call, suggestions }
}

fn tool_ended(it: wire::Call) -> Event {
    let call = tools::call(None, it.tool_name, it.tool_args.into());
    let outcome = tools::outcome(&call, it.tool_result.into());
    Event::tool_ended(call, outcome, None)
}

fn tool_refused(it: wire::Call) -> Event {
    let call = tools::call(None, it.tool_name, it.tool_args.into());
    let result: Value = it.tool_result.into();
    let output = ToolOutput { rest: result, ..ToolOutput::text(it.error.0.unwrap_or_default()) };
    let interruption = Interruption::None;
    Event::tool_ended(call, ToolOutcome::Failed { output, interruption }, None)
}

fn stop_request(it: wire::Stop) -> StopRequest {
    let continuation = match it.stop_hook_active.0 {
        Some(true) => Continuation::AfterRefusal,
        Some(false) | None => Continuation::First,
    };
    let last_message = it.response.0;
    StopRequest { continuation, last_message, background: vec![], crons: vec![] }
}

fn subagent_stop(payload: &Payload<'_>) -> Result<Event, Malformed> {
    payload.read::<wire::Subagent>()?;
    let stop = payload.read().map(stop_request)?;
    Ok(Event::SubagentStopRequested { stop, transcript: None })
}

fn compaction_started(it: wire::PreCompact) -> Event {
    let instructions = it.custom_instructions.0.filter(|text| !text.is_empty());
    Event::CompactionStarted { trigger: it.trigger.into(), instructions }
}

fn notified(it: wire::Notification) -> Event {
    Event::Notified { kind: it.notification_type, message: it.message }
}
