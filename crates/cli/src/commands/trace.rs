//! `verger trace`: what happened in a session, event by event.

use clap::Args;
use verger_event::{Actor, Event, Record, Verdict};
use verger_store::Entry;

use super::sessions::local_time;
use crate::command_error::CommandError;
use crate::context::Context;
use crate::entry_json::entry_json;
use crate::session_choice::choose;
use crate::ui::{Output, Ui};

/// A summary is one line of the terminal.
const MAX_SUMMARY_CHARS: usize = 100;

/// Show what happened in a session, event by event.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// The session: its id, or the beginning of it.
    session: String,

    /// Show the whole payload of every event.
    #[arg(long, short)]
    verbose: bool,
}

pub(crate) fn trace(ui: &mut Ui, context: &Context, args: &TraceArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = choose(&store, &args.session)?;
    // Stops at the first line that could not be printed; reading on costs little.
    let mut printed = Ok(());
    store.read_segment(&segment, &mut |entry| {
        if printed.is_ok() {
            printed = match ui.output() {
                Output::Json => ui.json(&entry_json(&entry)),
                Output::Text => entry_lines(&entry, args).iter().try_for_each(|line| ui.line(line)),
            };
        }
    })?;
    Ok(printed?)
}

/// An entry in words.
pub(super) enum Told {
    Event {
        number: String,
        at: String,
        kind: String,
        actor: Actor,
        summary: String,
    },
    /// Why it cannot be told.
    Unread(String),
}

pub(super) fn told(entry: &Entry) -> Told {
    let (record, number) = match entry {
        Entry::Record(record) => (record, record.seq.to_string()),
        Entry::Spilled(record) => (record, "spilled".to_owned()),
        Entry::Foreign { version } => {
            let text = format!("a line of format version {version}: update verger to read it");
            return Told::Unread(text);
        }
        Entry::Bad { offset, damage } => {
            return Told::Unread(format!("a bad line at byte {offset}: {damage}"));
        }
    };
    let draft = &record.draft;
    Told::Event {
        number,
        at: local_time(i64::try_from(draft.at.as_millis()).unwrap_or(i64::MAX)),
        kind: draft.event.kind().to_owned(),
        actor: draft.origin.actor.clone(),
        summary: shortened(&summary(&draft.event)),
    }
}

/// What an entry holds must not look like another entry: only payloads take more than one line, and
/// those are indented.
fn entry_lines(entry: &Entry, args: &TraceArgs) -> Vec<String> {
    let head = match told(entry) {
        Told::Unread(text) => return vec![format!("      {text}")],
        Told::Event { number, at, kind, actor, summary } => {
            let actor = match actor {
                Actor::Main { .. } => String::new(),
                Actor::Subagent { id, agent_type } => format!(" [{agent_type} {id}]"),
            };
            format!("{number:>5}  {at}  {kind:<24}{actor} {summary}")
        }
    };
    let mut lines = vec![head.trim_end().to_owned()];
    if let (true, Entry::Record(record) | Entry::Spilled(record)) = (args.verbose, entry) {
        lines.extend(payload_lines(record));
    }
    lines
}

fn payload_lines(record: &Record) -> Vec<String> {
    let entry = entry_json(&Entry::Record(Box::new(record.clone())));
    let payload = &entry["record"]["payload"];
    let pretty = serde_json::to_string_pretty(payload).unwrap_or_default();
    pretty.lines().map(|line| format!("         {line}")).collect()
}

/// What matters most about an event, in a few words.
fn summary(event: &Event) -> String {
    match event {
        Event::SessionStarted { source, .. } => String::from(source.clone()),
        Event::SessionEnded { reason } => reason.as_str().to_owned(),
        Event::PromptSubmitted { prompt, .. } | Event::PromptExpanded { prompt, .. } => {
            prompt.clone()
        }
        Event::ToolRequested(call) | Event::ToolSucceeded { call, .. } => {
            format!("{} {}", call.tool, input_summary(&call.input))
        }
        Event::ToolFailed { call, error, .. } => format!("{}: {error}", call.tool),
        Event::PermissionAsked { tool, input, .. } => format!("{tool} {}", input_summary(input)),
        Event::ToolBatchEnded { calls } => format!("{} calls", calls.len()),
        Event::StopRequested(stop) | Event::SubagentStopRequested { stop, .. } => {
            stop.last_message.clone().unwrap_or_default()
        }
        Event::StopFailed { error, details, .. } => {
            details.as_ref().map_or_else(|| error.clone(), |details| format!("{error}: {details}"))
        }
        Event::CompactionStarted { trigger, .. } | Event::CompactionEnded { trigger, .. } => {
            trigger.clone()
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
        | Event::ObservationRecorded { text } => text.clone(),
        Event::VerdictGiven { verdict, .. } => verdict_summary(verdict),
        Event::GateChanged { gate, from, to, .. } => format!("{gate}: {from} -> {to}"),
        Event::GateReleased { gate, by, .. } => format!("{gate} by {by}"),
        Event::ReviewDecided { decision, summary, .. } => format!("{decision}: {summary}"),
        Event::TicketSeen { system, ticket, .. } => format!("{system} {ticket}"),
        Event::BackendFound { backend, location } => format!("{backend} {location}"),
        Event::ReflectionRecorded { learnings, .. } => format!("{} learnings", learnings.len()),
        Event::LearningSeen { learning, .. } => learning.clone(),
        Event::Warned { area, message } => format!("{area}: {message}"),
        Event::SetupRan { trigger } => trigger.clone(),
        Event::PermissionDenied(_)
        | Event::SubagentStarted
        | Event::CompactionForkEnded { .. }
        | Event::TeammateIdle(_)
        | Event::ElicitationAsked(_)
        | Event::ElicitationAnswered(_)
        | Event::WorktreeCreated(_)
        | Event::WorktreeRemoved(_) => String::new(),
        Event::Unknown { .. } => "(written by another version)".to_owned(),
    }
}

/// The input's most telling string: a command, a path, a pattern.
fn input_summary(input: &serde_json::Value) -> String {
    ["command", "file_path", "pattern", "path", "url", "query", "description"]
        .iter()
        .find_map(|key| input.get(key)?.as_str())
        .map_or_else(|| input.to_string(), str::to_owned)
}

fn verdict_summary(verdict: &Verdict) -> String {
    match verdict {
        Verdict::NoOpinion => "no opinion".to_owned(),
        Verdict::Allow { reason } => format!("allow: {reason}"),
        Verdict::Ask { reason } => format!("ask: {reason}"),
        Verdict::Deny { reason } => format!("deny: {reason}"),
    }
}

fn shortened(text: &str) -> String {
    let mut short: String =
        text.chars().map(|c| if c == '\n' { ' ' } else { c }).take(MAX_SUMMARY_CHARS).collect();
    if text.chars().nth(MAX_SUMMARY_CHARS).is_some() {
        short.push('…');
    }
    short
}
