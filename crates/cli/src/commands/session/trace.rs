//! `verger session trace`: what happened in a session, event by event.

use std::io;

use clap::Args;
use serde_json::{Value, json};
use verger_event::{Actor, Record};
use verger_store::{Entry, ReadLog, SegmentName};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::first_and_last::FirstAndLast;
use crate::render::output::{Output, Tone, Ui, count};
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

    /// Print each event as JSON in a line of its own.
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
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
    let mut lines = Printer { ui, args, events: vec![] };
    // After a print error, the remaining records are read but not printed.
    let mut printed = Ok(());
    store.read_segment(&segment, &mut |entry| {
        if let (Ok(()), Some(entry)) = (&printed, pieces.push(entry)) {
            printed = lines.print(&entry);
        }
    })?;
    printed?;
    let (left_out, newest) = pieces.finish();
    if left_out > 0 {
        lines.print_left_out(left_out)?;
    }
    newest.iter().try_for_each(|entry| lines.print(entry))?;
    if lines.ui.output() == Output::Json {
        let (SegmentName::Session(stem) | SegmentName::Project(stem)) = &segment;
        let key = store.key_of(stem)?;
        lines.ui.json(&json!({
            "agent": key.as_ref().map(|key| key.agent.as_str()),
            "session": key.as_ref().map(|key| key.session.as_str()),
            "events": lines.events,
        }))?;
    }
    Ok(())
}

/// Prints events one by one. For `--json`, collects them into one object.
struct Printer<'a> {
    ui: &'a mut Ui,
    args: &'a TraceArgs,
    events: Vec<Value>,
}

impl Printer<'_> {
    fn print(&mut self, entry: &Entry) -> io::Result<()> {
        match (self.ui.output(), self.args.jsonl) {
            (Output::Text, false) => print_text(self.ui, entry, self.args),
            _ => self.print_json(entry_json(entry)),
        }
    }

    fn print_left_out(&mut self, left_out: u64) -> io::Result<()> {
        match (self.ui.output(), self.args.jsonl) {
            (Output::Text, false) => {
                let events = count(left_out, "event");
                let session = &self.args.session;
                self.ui.line(format!(
                    "  ...  {events} left out; verger session trace {session} --all shows them"
                ))
            }
            _ => self.print_json(json!({ "entry": "left_out", "count": left_out })),
        }
    }

    fn print_json(&mut self, event: Value) -> io::Result<()> {
        if self.args.jsonl {
            return self.ui.json(&event);
        }
        self.events.push(event);
        Ok(())
    }
}

/// Prints the lines of an entry. All lines but the first are indented, so that the text of an entry
/// can't look like another entry.
fn print_text(ui: &mut Ui, entry: &Entry, args: &TraceArgs) -> io::Result<()> {
    match entry_text(entry) {
        EntryText::Unread(text) => return ui.toned_line(&[(Tone::Bad, format!("      {text}"))]),
        EntryText::Event { number, at, kind, actor, summary } => {
            let actor = match actor {
                Actor::Main { .. } => String::new(),
                Actor::Subagent { id, agent_type } => format!(" [{agent_type} {id}]"),
            };
            let (number, kind) = (format!("{number:>5}  "), format!("  {kind:<24}{actor} "));
            let head = [(Tone::Strong, &*number), (Tone::Faint, &at), (Tone::Plain, &kind)];
            ui.wrapped_line(&head, &summary)?;
        }
    }
    if let (true, Entry::Record(record) | Entry::Spilled(record)) = (args.verbose, entry) {
        ui.toned_line(&[(Tone::Faint, format!("         {}", names(record)))])?;
        payload_lines(record).iter().try_for_each(|line| ui.line(line))?;
    }
    Ok(())
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
