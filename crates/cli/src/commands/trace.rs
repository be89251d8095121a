//! `verger trace`: what happened in a session, event by event.

use clap::Args;
use verger_event::{Actor, Record};
use verger_store::Entry;

use crate::command_error::CommandError;
use crate::context::Context;
use crate::entry_json::entry_json;
use crate::moment::local_time;
use crate::session_choice::choose;
use crate::summary::summary;
use crate::ui::{Output, Ui};

/// Show what happened in a session, event by event.
///
/// `verger why SESSION:NUMBER` explains one of them.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// The session: its id, or the beginning of it.
    session: String,

    /// Show the id and the whole payload of every event.
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
        at: local_time(draft.at),
        kind: draft.event.kind().to_owned(),
        actor: draft.origin.actor.clone(),
        summary: summary(&draft.event),
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
        lines.push(format!("         {}", names(record)));
        lines.extend(payload_lines(record));
    }
    lines
}

/// As the event can be named to other commands.
fn names(record: &Record) -> String {
    let draft = &record.draft;
    match record.seq {
        0 => draft.id.to_string(),
        seq => format!("{}  {}:{seq}", draft.id, draft.origin.session),
    }
}

fn payload_lines(record: &Record) -> Vec<String> {
    let entry = entry_json(&Entry::Record(Box::new(record.clone())));
    let payload = &entry["record"]["payload"];
    let pretty = serde_json::to_string_pretty(payload).unwrap_or_default();
    pretty.lines().map(|line| format!("         {line}")).collect()
}
