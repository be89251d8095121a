//! An event in a few words, for people.

use verger_event::{Event, Fate, SeenBy, StartTree, TicketChange, ToolCall, Verdict};

use crate::render::output::count;

/// The maximum length of a summary, so that it fits one line of the terminal.
const MAX_SUMMARY_CHARS: usize = 100;

/// The most important part of an event, in one line.
pub(crate) fn summary(event: &Event) -> String {
    shortened(&telling_text(event))
}

fn telling_text(event: &Event) -> String {
    match event {
        Event::SessionStarted { source, .. } => String::from(source.clone()),
        Event::SessionEnded { reason } => reason.as_str().to_owned(),
        Event::PromptSubmitted { prompt, .. } | Event::PromptExpanded { prompt, .. } => {
            prompt.clone()
        }
        Event::ToolRequested(call)
        | Event::ToolSucceeded { call, .. }
        | Event::ToolEnded { call, .. }
        | Event::PermissionAsked { call, .. } => call_summary(call),
        Event::ToolFailed { call, output, .. } => format!("{}: {}", call.tool, output.printed()),
        Event::ToolBatchEnded { calls } => count(calls.len(), "call"),
        Event::StopRequested(stop) | Event::SubagentStopRequested { stop, .. } => {
            stop.last_message.clone().unwrap_or_default()
        }
        Event::StopFailed { error, details, .. } => {
            details.as_ref().map_or_else(|| error.clone(), |details| format!("{error}: {details}"))
        }
        Event::CompactionStarted { trigger, .. } | Event::CompactionEnded { trigger, .. } => {
            trigger.to_string()
        }
        Event::TodoCreated { subject, .. } | Event::TodoCompleted { subject, .. } => {
            subject.clone()
        }
        Event::Notified { message, .. } => message.clone(),
        Event::ConfigChanged { source, .. } => source.clone(),
        Event::InstructionsLoaded { path, .. } | Event::FileChanged { path, .. } => path.clone(),
        Event::DirectoryChanged { to, .. } => to.clone(),
        Event::MessageShown { text, .. }
        | Event::ContextInjected { text, .. }
        | Event::ObservationRecorded { text, .. } => text.clone(),
        Event::VerdictGiven { verdict, .. } => verdict_text(verdict),
        Event::GateChanged { gate, from, to, cause, .. } => {
            format!("{}, {cause}", gate_move(gate.as_str(), from, to))
        }
        Event::StartTreeTaken(StartTree::Tree(_)) => "of git".to_owned(),
        Event::StartTreeTaken(StartTree::Touched { reason }) => format!("none: {reason}"),
        Event::StartTreeTaken(StartTree::Unknown { reason }) => format!("unknown: {reason}"),
        Event::StartTreePacked { id, .. } => id.clone(),
        Event::GateReleased { gate, by, .. } => format!("{gate} by {by}"),
        Event::ReleasesSeen { by, .. } => match by {
            SeenBy::Notice => "shown when a session started".to_owned(),
            SeenBy::Person => "by a person".to_owned(),
        },
        Event::ReviewDecided { decision, summary, .. } => format!("{decision}: {summary}"),
        Event::VerificationRecorded { status, depth, summary, .. } => {
            format!("{depth} is {status}: {summary}")
        }
        Event::UndoPointTaken { point, root, .. } => format!("{point} of {root}"),
        Event::UndoPointFailed { why, .. } => why.clone(),
        Event::UndoPointRestored { point, .. } => point.to_string(),
        Event::TaskRecorded { number, status, goal, .. } => {
            format!("task {number} is {status}: {goal}")
        }
        Event::HandoffWritten { trigger, .. } => format!("before {trigger}"),
        Event::TicketSeen { system, ticket, change, .. } => {
            format!("{system} {ticket} {}", ticket_change(*change))
        }
        Event::BackendFound { backend, location } => format!("{backend} {location}"),
        Event::ReflectionRecorded { learnings, .. } => count(learnings.len(), "learning"),
        Event::LearningSeen { learning, fate, .. } => {
            format!("{learning} {}", fate_word(*fate))
        }
        Event::LearningStored { learning, backend } => format!("{learning} in {backend}"),
        Event::GuardJudged { triage, rule, why, sent, .. } => {
            format!("{triage} by {rule}: {why}; sent: {sent}")
        }
        Event::CallRewritten { by, rules, changes, .. } => {
            format!("by {by} ({}): {}", rules.join(", "), changes.join("; "))
        }
        Event::Warned { area, message } => format!("{area}: {message}"),
        Event::SetupRan { trigger } => trigger.to_string(),
        Event::PermissionDenied(_)
        | Event::SubagentStarted
        | Event::CompactionForkEnded { .. }
        | Event::TeammateIdle(_)
        | Event::ElicitationAsked(_)
        | Event::ElicitationAnswered(_)
        | Event::WorktreeCreated(_)
        | Event::WorktreeRemoved(_) => String::new(),
        Event::Unknown { .. } => "(this version cannot read it)".to_owned(),
    }
}

/// The word in text output. Stored forms and JSON use `referenced` and `dismissed`.
fn fate_word(fate: Fate) -> &'static str {
    match fate {
        Fate::Referenced => "used",
        Fate::Dismissed => "given and not used",
        Fate::Corrected => "corrected",
        Fate::Archived => "archived",
        Fate::Restored => "restored",
    }
}

fn ticket_change(change: TicketChange) -> &'static str {
    match change {
        TicketChange::Found => "in hand",
        TicketChange::CloseRequested => "about to be closed",
        TicketChange::Closed => "closed",
        TicketChange::CloseFailed => "not closed",
    }
}

/// The change of a gate's phase.
pub(crate) fn gate_move(gate: &str, from: &str, to: &str) -> String {
    if from == to { format!("{gate}: stays {to}") } else { format!("{gate}: {from} -> {to}") }
}

/// The tool and the most informative text of the call: a command line, a path or a pattern.
fn call_summary(call: &ToolCall) -> String {
    match call.gist() {
        Some(gist) => format!("{} {gist}", call.tool),
        None => call.identity().into_owned(),
    }
}

/// The verdict and its reason.
pub(crate) fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::NoOpinion => "no opinion".to_owned(),
        Verdict::Allow { reason } => format!("allow: {reason}"),
        Verdict::Ask { reason } => format!("ask: {reason}"),
        Verdict::Deny { reason } => format!("deny: {reason}"),
    }
}

/// The text in one line of limited length.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String =
        text.chars().map(|c| if c == '\n' { ' ' } else { c }).take(MAX_SUMMARY_CHARS).collect();
    if text.chars().nth(MAX_SUMMARY_CHARS).is_some() {
        short.push('…');
    }
    short
}
