//! Decodes Claude Code's payloads into events.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use verger_event::{
    BackgroundKind, BackgroundTask, BatchedCall, Circumstance, Continuation, Event, Interruption,
    PromptId, PromptOrigin, SessionId, StopRequest, SubagentId, ToolCall, ToolOutcome, ToolUseId,
    gathered,
};

use super::{tools, wire};
use crate::lenient::{Lenient, Millis};
use crate::payload::{Id, Kept, MAX_ID_BYTES, Object, Payload, actor};
use crate::tool_answer::{failure_of, output_of};
use crate::{Malformed, Observed};

/// Decodes the payload of a call of `event_name`, which alone decides the form: a payload that
/// names another event is malformed. `None` for an unknown event, and for one that is not about the
/// work, such as a switch of the model.
pub(super) fn decode(event_name: &str, payload: &[u8]) -> Result<Option<Observed>, Malformed> {
    let Some((name, form)) = FORMS.iter().find(|(name, _)| *name == event_name) else {
        return Ok(None);
    };
    let payload = Payload::new(name, payload)?;
    let mut common: wire::Common = payload.read()?;
    if let Some(found) = common.hook_event_name.0.take_if(|found| found != name) {
        return Err(Malformed::EventMismatch { event: name, found });
    }
    let event = form(&payload)?;
    if let Event::CompactionForkEnded { .. } = &event {
        (common.agent_id, common.agent_type) = (None, Lenient(None));
    }
    Ok(Some(common.observe(event)))
}

impl wire::Common {
    /// The event, with the session and circumstances from the payload.
    pub(super) fn observe(self, event: Event) -> Observed {
        Observed {
            session: SessionId::new(self.session_id),
            actor: actor(self.agent_id, self.agent_type.0),
            circumstance: Circumstance {
                cwd: self.cwd.0,
                prompt: self.prompt_id.0.map(PromptId::new),
                permission_mode: self.permission_mode.0,
                effort: self.effort.0.and_then(|Object(effort)| effort.level.0),
            },
            event,
        }
    }
}

type Form = fn(&Payload<'_>) -> Result<Event, Malformed>;

const FORMS: &[(&str, Form)] = &[
    ("SessionStart", typed::<wire::SessionStart>),
    ("SessionEnd", typed::<wire::SessionEnd>),
    ("Setup", typed::<wire::Setup>),
    ("UserPromptSubmit", typed::<wire::UserPromptSubmit>),
    ("UserPromptExpansion", typed::<wire::UserPromptExpansion>),
    ("PreToolUse", typed::<wire::PreToolUse>),
    ("PermissionRequest", typed::<wire::PermissionRequest>),
    ("PermissionDenied", |payload| opaque(payload).map(Event::PermissionDenied)),
    ("PostToolUse", typed::<wire::PostToolUse>),
    ("PostToolUseFailure", typed::<wire::PostToolUseFailure>),
    ("PostToolBatch", typed::<wire::PostToolBatch>),
    ("Stop", typed::<wire::Stop>),
    ("StopFailure", typed::<wire::StopFailure>),
    ("SubagentStart", typed::<wire::SubagentStart>),
    ("SubagentStop", typed::<wire::SubagentStop>),
    ("PreCompact", typed::<wire::PreCompact>),
    ("PostCompact", typed::<wire::PostCompact>),
    ("TaskCreated", |payload| payload.read().map(todo_created)),
    ("TaskCompleted", |payload| payload.read().map(todo_completed)),
    ("TeammateIdle", |payload| opaque(payload).map(Event::TeammateIdle)),
    ("Elicitation", |payload| opaque(payload).map(Event::ElicitationAsked)),
    ("ElicitationResult", |payload| opaque(payload).map(Event::ElicitationAnswered)),
    ("Notification", typed::<wire::Notification>),
    ("ConfigChange", typed::<wire::ConfigChange>),
    ("InstructionsLoaded", typed::<wire::InstructionsLoaded>),
    ("CwdChanged", typed::<wire::CwdChanged>),
    ("FileChanged", typed::<wire::FileChanged>),
    ("MessageDisplay", typed::<wire::MessageDisplay>),
    ("WorktreeCreate", |payload| opaque(payload).map(Event::WorktreeCreated)),
    ("WorktreeRemove", |payload| opaque(payload).map(Event::WorktreeRemoved)),
];

fn typed<T: DeserializeOwned + Into<Event>>(payload: &Payload<'_>) -> Result<Event, Malformed> {
    payload.read::<T>().map(Into::into)
}

/// All fields except for those of the envelope.
fn opaque(payload: &Payload<'_>) -> Result<Value, Malformed> {
    let mut rest = fields(payload)?;
    rest.retain(|field, _| !wire::COMMON_FIELDS.contains(&field.as_str()));
    Ok(Value::Object(rest))
}

/// All fields, unparsed. If a field occurs twice, the last value is used.
pub(super) fn fields(payload: &Payload<'_>) -> Result<Map<String, Value>, Malformed> {
    let fields: BTreeMap<String, Kept> = payload.read()?;
    Ok(gathered(fields.into_iter().map(|(field, value)| (field, value.into()))))
}

fn call(id: Lenient<Id>, tool: String, input: Kept) -> ToolCall {
    tools::call(id.0.map(ToolUseId::new), tool, input.into())
}

fn todo_created(task: wire::Task) -> Event {
    Event::TodoCreated {
        id: task.task_id.into(),
        subject: task.task_subject,
        description: task.task_description.0,
    }
}

fn todo_completed(task: wire::Task) -> Event {
    Event::TodoCompleted {
        id: task.task_id.into(),
        subject: task.task_subject,
        description: task.task_description.0,
    }
}

/// The author of a prompt.
///
/// The program sends a notice of an ended background task as a prompt. Such a notice can be
/// recognized only by its first tag, so a person's prompt that starts with this tag counts as a
/// notice.
fn origin(prompt: &str) -> PromptOrigin {
    let Some(notice) = prompt.strip_prefix("<task-notification>") else {
        return PromptOrigin::Person;
    };
    // The task wrote the text after the summary's tag, which may contain any other tag.
    let head = ["<summary>", "<result>"]
        .iter()
        .fold(notice, |head, tag| head.split_once(tag).map_or(head, |(before, _)| before));
    PromptOrigin::TaskNotification {
        task: tagged(head, "task-id"),
        tool_use: tagged(head, "tool-use-id").map(ToolUseId::new),
        status: tagged(head, "status").map(Into::into),
    }
}

fn tagged(text: &str, tag: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{tag}>"))?;
    let (inner, _) = rest.split_once(&format!("</{tag}>"))?;
    (inner.len() <= MAX_ID_BYTES).then(|| inner.trim().to_owned())
}

impl From<wire::SessionStart> for Event {
    fn from(it: wire::SessionStart) -> Self {
        Self::SessionStarted {
            source: it.source.into(),
            model: it.model.0,
            transcript: it.transcript_path.0,
            client: None,
        }
    }
}

impl From<wire::SessionEnd> for Event {
    fn from(it: wire::SessionEnd) -> Self {
        Self::SessionEnded { reason: it.reason.into() }
    }
}

impl From<wire::Setup> for Event {
    fn from(it: wire::Setup) -> Self {
        Self::SetupRan { trigger: it.trigger.into() }
    }
}

impl From<wire::UserPromptSubmit> for Event {
    fn from(it: wire::UserPromptSubmit) -> Self {
        Self::PromptSubmitted { origin: origin(&it.prompt), prompt: it.prompt }
    }
}

impl From<wire::UserPromptExpansion> for Event {
    fn from(it: wire::UserPromptExpansion) -> Self {
        Self::PromptExpanded {
            command: it.command_name,
            args: it.command_args,
            source: it.command_source.0,
            prompt: it.prompt,
        }
    }
}

impl From<wire::PreToolUse> for Event {
    fn from(it: wire::PreToolUse) -> Self {
        Self::ToolRequested(call(it.tool_use_id, it.tool_name, it.tool_input))
    }
}

impl From<wire::PermissionRequest> for Event {
    fn from(it: wire::PermissionRequest) -> Self {
        Self::PermissionAsked {
            call: call(Lenient(None), it.tool_name, it.tool_input),
            suggestions: it.permission_suggestions.into_fitting().map(Value::from).collect(),
        }
    }
}

impl From<wire::PostToolUse> for Event {
    fn from(it: wire::PostToolUse) -> Self {
        let call = call(it.tool_use_id, it.tool_name, it.tool_input);
        let output = output_of(tools::ANSWERS, &call, it.tool_response.into());
        let duration_ms = it.duration_ms.0.map(|Millis(ms)| ms);
        Self::tool_ended(call, ToolOutcome::Succeeded(output), duration_ms)
    }
}

impl From<wire::PostToolUseFailure> for Event {
    fn from(it: wire::PostToolUseFailure) -> Self {
        let call = call(it.tool_use_id, it.tool_name, it.tool_input);
        let output = failure_of(&call, it.error);
        let interruption = match it.is_interrupt.0 {
            Some(true) => Interruption::ByPerson,
            Some(false) | None => Interruption::None,
        };
        let duration_ms = it.duration_ms.0.map(|Millis(ms)| ms);
        Self::tool_ended(call, ToolOutcome::Failed { output, interruption }, duration_ms)
    }
}

impl From<wire::PostToolBatch> for Event {
    fn from(it: wire::PostToolBatch) -> Self {
        let calls = it.tool_calls.into_iter().map(|Object(it)| {
            let call = call(it.tool_use_id, it.tool_name, it.tool_input);
            let output = output_of(tools::ANSWERS, &call, it.tool_response.into());
            BatchedCall::Reported { call, output }
        });
        Self::ToolBatchEnded { calls: calls.collect() }
    }
}

impl From<wire::Stop> for StopRequest {
    fn from(it: wire::Stop) -> Self {
        Self {
            continuation: match it.stop_hook_active.0 {
                Some(true) => Continuation::AfterRefusal,
                Some(false) | None => Continuation::First,
            },
            last_message: it.last_assistant_message.0,
            background: it
                .background_tasks
                .into_fitting()
                .map(|Object(task)| task.into())
                .collect(),
            crons: it.session_crons.into_fitting().map(Value::from).collect(),
        }
    }
}

/// Running tasks are kept even if most of their fields are missing. Only a subagent must have an
/// id.
impl From<wire::BackgroundTask> for BackgroundTask {
    fn from(it: wire::BackgroundTask) -> Self {
        let kind = it.kind.0.unwrap_or_default().into();
        let status = it.status.0.unwrap_or_default().into();
        let description = it.description.0;
        match it.id.0 {
            Some(id) if kind == BackgroundKind::Subagent => Self::Subagent {
                id: SubagentId::new(id),
                agent_type: it.agent_type.0,
                status,
                description,
            },
            id => Self::Other {
                id: id.map_or_else(String::new, Into::into),
                kind,
                status,
                description,
            },
        }
    }
}

impl From<wire::Stop> for Event {
    fn from(it: wire::Stop) -> Self {
        Self::StopRequested(it.into())
    }
}

impl From<wire::StopFailure> for Event {
    fn from(it: wire::StopFailure) -> Self {
        Self::StopFailed {
            error: it.error,
            details: it.error_details.0,
            last_message: it.last_assistant_message.0,
        }
    }
}

impl From<wire::SubagentStart> for Event {
    fn from(_: wire::SubagentStart) -> Self {
        Self::SubagentStarted
    }
}

impl From<wire::SubagentStop> for Event {
    fn from(it: wire::SubagentStop) -> Self {
        if it.agent_type.is_empty() {
            return Self::CompactionForkEnded {
                fork: SubagentId::new(Id::from(it.agent_id)),
                summary: it.last_assistant_message.0,
            };
        }
        let stop = wire::Stop {
            stop_hook_active: it.stop_hook_active,
            last_assistant_message: it.last_assistant_message,
            background_tasks: it.background_tasks,
            session_crons: it.session_crons,
        };
        Self::SubagentStopRequested { stop: stop.into(), transcript: it.agent_transcript_path.0 }
    }
}

impl From<wire::PreCompact> for Event {
    fn from(it: wire::PreCompact) -> Self {
        Self::CompactionStarted {
            trigger: it.trigger.into(),
            instructions: it.custom_instructions.0,
        }
    }
}

impl From<wire::PostCompact> for Event {
    fn from(it: wire::PostCompact) -> Self {
        Self::CompactionEnded { trigger: it.trigger.into(), summary: it.compact_summary.0 }
    }
}

impl From<wire::Notification> for Event {
    fn from(it: wire::Notification) -> Self {
        Self::Notified { kind: it.notification_type, message: it.message }
    }
}

impl From<wire::ConfigChange> for Event {
    fn from(it: wire::ConfigChange) -> Self {
        Self::ConfigChanged { source: it.source, path: it.file_path.0 }
    }
}

impl From<wire::InstructionsLoaded> for Event {
    fn from(it: wire::InstructionsLoaded) -> Self {
        Self::InstructionsLoaded {
            path: it.file_path,
            memory: it.memory_type.0,
            reason: it.load_reason.0,
        }
    }
}

impl From<wire::CwdChanged> for Event {
    fn from(it: wire::CwdChanged) -> Self {
        Self::DirectoryChanged { from: it.old_cwd, to: it.new_cwd }
    }
}

impl From<wire::FileChanged> for Event {
    fn from(it: wire::FileChanged) -> Self {
        Self::FileChanged { path: it.file_path, change: it.event }
    }
}

impl From<wire::MessageDisplay> for Event {
    fn from(it: wire::MessageDisplay) -> Self {
        Self::MessageShown { message: it.message_id.into(), index: it.index, text: it.delta }
    }
}
