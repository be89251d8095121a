//! `verger session trace`: what happened in a session, event by event.

use std::io;

use clap::Args;
use serde_json::json;
use verger_event::{Actor, Record};
use verger_store::{Entry, ReadLog};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::first_and_last::FirstAndLast;
use crate::render::output::{Output, Ui, count};
use crate::render::short_ids::{ShortIds, short_session};
use crate::sessions::entry_json::entry_json;
use crate::sessions::entry_text::{EntryText, entry_text};
use crate::sessions::picker::choose;

/// Show what happened in a session, event by event.
///
/// Of a long session the first 10 events and the newest, `trace.max_events` in all. `verger why
/// SESSION:NUMBER` explains one of them.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// The session: its id, or the beginning of it.
    session: String,

    /// Show the id and the whole payload of every event.
    #[arg(long, short)]
    verbose: bool,

    /// Show every event, however many there are.
    #[arg(long)]
    all: bool,
}

pub(super) fn trace(ui: &mut Ui, context: &Context, args: &TraceArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = choose(&store, &args.session)?;
    let mut pieces = if args.all {
        FirstAndLast::of_all()
    } else {
        let settings = context.settings(&context.home()?).settings;
        FirstAndLast::of(usize::try_from(settings.trace.max_events.value).unwrap_or(usize::MAX))
    };
    // Stops at the first line that could not be printed; reading on costs little.
    let mut printed = Ok(());
    store.read_segment(&segment, &mut |entry| {
        if let (Ok(()), Some(entry)) = (&printed, pieces.push(entry)) {
            printed = print(ui, &entry, args);
        }
    })?;
    printed?;
    let (left_out, newest) = pieces.finish();
    if left_out > 0 {
        print_left_out(ui, left_out, args)?;
    }
    Ok(newest.iter().try_for_each(|entry| print(ui, entry, args))?)
}

fn print(ui: &mut Ui, entry: &Entry, args: &TraceArgs) -> io::Result<()> {
    match ui.output() {
        Output::Json => ui.json(&entry_json(entry)),
        Output::Text => entry_lines(entry, args).iter().try_for_each(|line| ui.line(line)),
    }
}

fn print_left_out(ui: &mut Ui, left_out: u64, args: &TraceArgs) -> io::Result<()> {
    match ui.output() {
        Output::Json => ui.json(&json!({ "entry": "left_out", "count": left_out })),
        Output::Text => {
            let events = count(left_out, "event");
            let session = &args.session;
            ui.line(format!(
                "  ...  {events} left out; verger session trace {session} --all shows them"
            ))
        }
    }
}

/// The lines of an entry. Its text must not look like another entry: only payloads take more than
/// one line, and those are indented.
fn entry_lines(entry: &Entry, args: &TraceArgs) -> Vec<String> {
    let head = match entry_text(entry) {
        EntryText::Unread(text) => return vec![format!("      {text}")],
        EntryText::Event { number, at, kind, actor, summary } => {
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

/// The names by which other commands accept the event.
fn names(record: &Record) -> String {
    let draft = &record.draft;
    match record.seq {
        0 => draft.id.to_string(),
        seq => {
            let (id, session) = (draft.id.to_string(), draft.origin.session.as_str());
            format!("{}  {}:{seq}", ShortIds::of_records([&id]).of(&id), short_session(session))
        }
    }
}

fn payload_lines(record: &Record) -> Vec<String> {
    let entry = entry_json(&Entry::Record(Box::new(record.clone())));
    let payload = &entry["record"]["payload"];
    let pretty = serde_json::to_string_pretty(payload).unwrap_or_default();
    pretty.lines().map(|line| format!("         {line}")).collect()
}
