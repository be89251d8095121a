//! Converts an event to its stored form, which is a kind and a JSON payload, and back.

use super::v2::{self, Payload};
use crate::{
    BackgroundTask, BatchedCall, Correction, Event, Fact, GateName, Grounds, Interruption, Opinion,
    PromptOrigin, StartTree, StopRequest, ToolCall, UsedSetting, Verdict,
};

/// The payload of an event, as JSON text.
pub fn payload_json(event: &Event) -> serde_json::Result<String> {
    match to_payload(event.clone()) {
        Ok(payload) => payload.to_json(),
        Err(unknown) => serde_json::to_string(&unknown),
    }
}

/// The event with this kind and payload. If the payload can't be read, the event is an
/// [`Event::Unknown`].
pub fn event_from(kind: &str, json: &str) -> Event {
    match Payload::from_json(kind, json) {
        Some(payload) => from_payload(payload),
        None => Event::Unknown {
            kind: kind.to_owned(),
            payload: serde_json::from_str(json).unwrap_or_default(),
        },
    }
}

/// The kind of the event. This list repeats the kinds in [`v2`]; a test compares the two lists.
pub fn kind_of(event: &Event) -> &str {
    match event {
        Event::SessionStarted { .. } => "session.started",
        Event::SessionEnded { .. } => "session.ended",
        Event::SetupRan { .. } => "setup.ran",
        Event::PromptSubmitted { .. } => "prompt.submitted",
        Event::PromptExpanded { .. } => "prompt.expanded",
        Event::ToolRequested(_) => "tool.requested",
        Event::PermissionAsked { .. } => "permission.asked",
        Event::PermissionDenied(_) => "permission.denied",
        Event::ToolSucceeded { .. } => "tool.succeeded",
        Event::ToolFailed { .. } => "tool.failed",
        Event::ToolEnded { .. } => "tool.ended",
        Event::ToolBatchEnded { .. } => "tool_batch.ended",
        Event::StopRequested(_) => "stop.requested",
        Event::StopFailed { .. } => "stop.failed",
        Event::SubagentStarted => "subagent.started",
        Event::SubagentStopRequested { .. } => "subagent_stop.requested",
        Event::CompactionForkEnded { .. } => "compaction_fork.ended",
        Event::CompactionStarted { .. } => "compaction.started",
        Event::CompactionEnded { .. } => "compaction.ended",
        Event::TodoCreated { .. } => "todo.created",
        Event::TodoCompleted { .. } => "todo.completed",
        Event::TeammateIdle(_) => "teammate.idle",
        Event::ElicitationAsked(_) => "elicitation.asked",
        Event::ElicitationAnswered(_) => "elicitation.answered",
        Event::Notified { .. } => "notification.shown",
        Event::ConfigChanged { .. } => "config.changed",
        Event::InstructionsLoaded { .. } => "instructions.loaded",
        Event::DirectoryChanged { .. } => "directory.changed",
        Event::FileChanged { .. } => "file.changed",
        Event::MessageShown { .. } => "message.shown",
        Event::WorktreeCreated(_) => "worktree.created",
        Event::WorktreeRemoved(_) => "worktree.removed",
        Event::VerdictGiven { .. } => "verdict.given",
        Event::GateChanged { .. } => "gate.changed",
        Event::StartTreeTaken(_) => "start_tree.taken",
        Event::StartTreePacked { .. } => "start_tree.packed",
        Event::GateReleased { .. } => "gate.released",
        Event::ReleasesSeen { .. } => "releases.seen",
        Event::ReviewDecided { .. } => "review.decided",
        Event::VerificationRecorded { .. } => "verification.recorded",
        Event::UndoPointTaken { .. } => "undo_point.taken",
        Event::UndoPointFailed { .. } => "undo_point.failed",
        Event::UndoPointRestored { .. } => "undo_point.restored",
        Event::TaskRecorded { .. } => "task.recorded",
        Event::HandoffWritten { .. } => "handoff.written",
        Event::ContextInjected { .. } => "context.injected",
        Event::TicketSeen { .. } => "ticket.seen",
        Event::BackendFound { .. } => "backend.found",
        Event::ReflectionRecorded { .. } => "reflection.recorded",
        Event::ObservationRecorded { .. } => "observation.recorded",
        Event::LearningSeen { .. } => "learning.seen",
        Event::LearningStored { .. } => "learning.stored",
        Event::Warned { .. } => "warning.raised",
        Event::GuardJudged { .. } => "guard.judged",
        Event::CallRewritten { .. } => "call.rewritten",
        Event::Unknown { kind, .. } => kind,
    }
}

macro_rules! conversions {
    (
        same { $($same:ident { $($field:ident),* })* }
        opaque { $($opaque:ident)* }
        special { $($special_event:pat => $special_payload:expr;)* }
        back { $($back_payload:pat => $back_event:expr;)* }
    ) => {
        /// Converts an event to its payload. For an event of unknown kind, the error contains the
        /// unparsed payload.
        fn to_payload(event: Event) -> Result<Payload, serde_json::Value> {
            Ok(match event {
                $(Event::$same { $($field),* } =>
                    Payload::$same(v2::$same { $($field: $field.into()),* }),)*
                $(Event::$opaque(payload) => Payload::$opaque(v2::$opaque { payload }),)*
                $($special_event => $special_payload,)*
                Event::Unknown { payload, .. } => return Err(payload),
            })
        }

        fn from_payload(payload: Payload) -> Event {
            match payload {
                $(Payload::$same(v2::$same { $($field),* }) =>
                    Event::$same { $($field: $field.into()),* },)*
                $(Payload::$opaque(v2::$opaque { payload }) => Event::$opaque(payload),)*
                $($back_payload => $back_event,)*
            }
        }
    };
}

conversions! {
    same {
        SessionStarted { source, model, transcript, client }
        SessionEnded { reason }
        SetupRan { trigger }
        PromptSubmitted { origin, prompt }
        PromptExpanded { command, args, source, prompt }
        PermissionAsked { call, suggestions }
        ToolSucceeded { call, output, duration_ms }
        ToolEnded { call, output, duration_ms }
        StopFailed { error, details, last_message }
        SubagentStopRequested { stop, transcript }
        CompactionForkEnded { fork, summary }
        CompactionStarted { trigger, instructions }
        CompactionEnded { trigger, summary }
        TodoCreated { id, subject, description }
        TodoCompleted { id, subject, description }
        Notified { kind, message }
        ConfigChanged { source, path }
        InstructionsLoaded { path, memory, reason }
        DirectoryChanged { from, to }
        FileChanged { path, change }
        MessageShown { message, index, text }
        GateChanged { gate, from, to, cause, change }
        StartTreePacked { id, start, begun }
        GateReleased { gate, by, reason }
        ReviewDecided { decision, summary, message, content_hash, reviewer, opinions }
        TicketSeen { system, ticket, change, title, description }
        BackendFound { backend, location }
        ReflectionRecorded { learnings, rejected, kept, rejections, tickets }
        ObservationRecorded { text, author }
        LearningSeen { learning, fate, how }
        LearningStored { learning, backend }
        GuardJudged { on, triage, rule, why, mode, sent }
        CallRewritten { on, by, rules, changes, input, grounds }
        VerificationRecorded { status, depth, content_hash, summary, verified }
        UndoPointTaken { on, point, kept_at, root, age, left_out, more_left_out }
        UndoPointFailed { on, why }
        UndoPointRestored { point, saved, written, removed, failed }
        TaskRecorded { number, parent, status, trigger, query, goal, commit, task }
        HandoffWritten { trigger, text }
        Warned { area, message }
        ReleasesSeen { until, by }
    }
    opaque {
        PermissionDenied TeammateIdle ElicitationAsked ElicitationAnswered
        WorktreeCreated WorktreeRemoved
    }
    special {
        Event::ToolRequested(call) =>
            Payload::ToolRequested(v2::ToolRequested { call: call.into() });
        Event::ToolFailed { call, output, interruption, duration_ms } =>
            Payload::ToolFailed(v2::ToolFailed {
                call: call.into(),
                output,
                interrupted: interruption == Interruption::ByPerson,
                duration_ms,
            });
        Event::ToolBatchEnded { calls } =>
            Payload::ToolBatchEnded(v2::ToolBatchEnded { calls: all(calls) });
        Event::StopRequested(stop) =>
            Payload::StopRequested(v2::StopRequested { stop: stop.into() });
        Event::SubagentStarted => Payload::SubagentStarted(v2::SubagentStarted {});
        Event::StartTreeTaken(start) => Payload::StartTreeTaken(match start {
            StartTree::Tree(tree) => {
                v2::StartTreeTaken { tree: Some(tree), reason: None, unknown: false }
            }
            StartTree::Touched { reason } => {
                v2::StartTreeTaken { tree: None, reason: Some(reason), unknown: false }
            }
            StartTree::Unknown { reason } => {
                v2::StartTreeTaken { tree: None, reason: Some(reason), unknown: true }
            }
        });
        Event::VerdictGiven { verdict, on, by, notice } => {
            let names: Vec<_> = by.iter().map(|opinion| opinion.by.clone()).collect();
            let opinions = if by == named(&names, &verdict) { vec![] } else { all(by) };
            let verdict = verdict.into();
            Payload::VerdictGiven(v2::VerdictGiven { verdict, on, by: names, opinions, notice })
        };
        Event::ContextInjected { moment, on, sources, text, grounds, scores, corrections } => {
            let grounds = (!grounds.is_empty()).then(|| grounds.into());
            let corrections = all(corrections);
            Payload::ContextInjected(v2::ContextInjected {
                moment, sources, text, on, grounds, scores, corrections,
            })
        };
    }
    back {
        Payload::ToolRequested(payload) => Event::ToolRequested(payload.call.into());
        Payload::ToolFailed(payload) => Event::ToolFailed {
            call: payload.call.into(),
            output: payload.output,
            interruption: if payload.interrupted {
                Interruption::ByPerson
            } else {
                Interruption::None
            },
            duration_ms: payload.duration_ms,
        };
        Payload::ToolBatchEnded(payload) => Event::ToolBatchEnded { calls: all(payload.calls) };
        Payload::StopRequested(payload) => Event::StopRequested(payload.stop.into());
        Payload::SubagentStarted(v2::SubagentStarted {}) => Event::SubagentStarted;
        Payload::StartTreeTaken(v2::StartTreeTaken { tree, reason, unknown }) => {
            let reason = reason.unwrap_or_default();
            Event::StartTreeTaken(match tree {
                Some(tree) => StartTree::Tree(tree),
                None if unknown => StartTree::Unknown { reason },
                None => StartTree::Touched { reason },
            })
        };
        Payload::VerdictGiven(v2::VerdictGiven { verdict, on, by, opinions, notice }) => {
            let verdict = verdict.into();
            let by = if opinions.is_empty() { named(&by, &verdict) } else { all(opinions) };
            Event::VerdictGiven { verdict, on, by, notice }
        };
        Payload::ContextInjected(injected) => {
            let v2::ContextInjected { moment, sources, text, on, grounds, scores, corrections } =
                injected;
            let grounds = grounds.map(Into::into).unwrap_or_default();
            let corrections = all(corrections);
            Event::ContextInjected { moment, on, sources, text, grounds, scores, corrections }
        };
    }
}

/// The opinions in a record of the first release. It has only the names of the gates, so each gate
/// gets the joined verdict.
fn named(names: &[GateName], verdict: &Verdict) -> Vec<Opinion> {
    let opinion = |by: &GateName| Opinion {
        by: by.clone(),
        verdict: verdict.clone(),
        grounds: Grounds::default(),
    };
    names.iter().map(opinion).collect()
}

fn all<A, B: From<A>>(items: Vec<A>) -> Vec<B> {
    items.into_iter().map(B::from).collect()
}

/// Implements the conversions in both directions between domain types and their stored forms.
macro_rules! mirror {
    ($(struct $name:ident { $($field:ident = $stored:ident $(via $map:ident)?),* })*) => {$(
        impl From<$name> for v2::$name {
            fn from(value: $name) -> Self {
                Self { $($stored: mirror!(@map value.$field $(, $map)?)),* }
            }
        }

        impl From<v2::$name> for $name {
            fn from(value: v2::$name) -> Self {
                Self { $($field: mirror!(@map value.$stored $(, $map)?)),* }
            }
        }
    )*};
    ($(enum $name:ident { $($variant:ident $({ $($field:ident),* })?),* })*) => {$(
        impl From<$name> for v2::$name {
            fn from(value: $name) -> Self {
                match value { $($name::$variant $({ $($field),* })? => Self::$variant $({ $($field),* })?),* }
            }
        }

        impl From<v2::$name> for $name {
            fn from(value: v2::$name) -> Self {
                match value { $(v2::$name::$variant $({ $($field),* })? => Self::$variant $({ $($field),* })?),* }
            }
        }
    )*};
    (@map $value:expr) => { $value.into() };
    (@map $value:expr, $map:ident) => { $map($value) };
}

mirror! {
    struct ToolCall { id = tool_use, tool = tool, action = does, rest = rest }
    struct StopRequest {
        continuation = continuation, last_message = last_message,
        background = background via all, crons = crons
    }
    struct Opinion { by = by, verdict = verdict, grounds = grounds }
    struct Grounds { rule = rule, facts = facts via all, settings = settings via all }
    struct Correction { learning = learning, by = by }
    struct Fact { name = name, value = value }
    struct UsedSetting { key = key, value = value, origin = origin }
}

mirror! {
    enum BackgroundTask {
        Subagent { id, agent_type, status, description },
        Other { id, kind, status, description }
    }
    enum PromptOrigin { Person, TaskNotification { task, tool_use, status } }
    enum Verdict { NoOpinion, Allow { reason }, Ask { reason }, Deny { reason } }
}

impl From<BatchedCall> for v2::BatchedCall {
    fn from(batched: BatchedCall) -> Self {
        match batched {
            BatchedCall::Reported { call, output } => Self::Reported { call: call.into(), output },
            BatchedCall::Recorded(id) => Self::Recorded(id),
        }
    }
}

impl From<v2::BatchedCall> for BatchedCall {
    fn from(batched: v2::BatchedCall) -> Self {
        match batched {
            v2::BatchedCall::Reported { call, output } => {
                Self::Reported { call: call.into(), output }
            }
            v2::BatchedCall::Recorded(id) => Self::Recorded(id),
        }
    }
}
