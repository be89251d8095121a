//! `verger log show`: the recorded events of a session, one line each.

use std::io;

use clap::Args;
use serde_json::json;
use verger_event::Actor;
use verger_store::{Entry, ReadLog, SegmentName};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Tone, Ui};
use crate::sessions::entry_json::entry_json;
use crate::sessions::entry_text::{EntryText, entry_text};
use crate::sessions::picker::{choose, meant_or_latest};

/// Print the recorded events of a session, one line each.
///
/// Each line has the time, the kind of the event and a summary. `verger session trace` shows a
/// shortened list with numbers for `verger why`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The session's id or its beginning; default: this project's live session, or its latest.
    session: Option<String>,

    /// Print one JSON object a line, each as soon as it is read.
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
}

pub(super) fn show(ui: &mut Ui, context: &Context, args: &ShowArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = match &args.session {
        Some(session) => choose(&store, session)?,
        None => meant_or_latest(&store, context, None)?,
    };
    if ui.output() == Output::Json {
        let mut events = vec![];
        store.read_segment(&segment, &mut |entry| events.push(entry_json(&entry)))?;
        let (SegmentName::Session(stem) | SegmentName::Project(stem)) = &segment;
        let key = store.key_of(stem)?;
        ui.json(&json!({
            "agent": key.as_ref().map(|key| key.agent.as_str()),
            "session": key.as_ref().map(|key| key.session.as_str()),
            "events": events,
        }))?;
    } else {
        // After a print error, such as a closed pipe, the remaining records are read but not
        // printed.
        let mut printed = Ok(());
        store.read_segment(&segment, &mut |entry| {
            if printed.is_ok() {
                printed = if args.jsonl { ui.json(&entry_json(&entry)) } else { print(ui, &entry) };
            }
        })?;
        printed?;
    }
    tell_passed_over(ui, &store);
    Ok(())
}

fn print(ui: &mut Ui, entry: &Entry) -> io::Result<()> {
    match entry_text(entry) {
        EntryText::Unread(text) => ui.toned_line(&[(Tone::Bad, text)]),
        EntryText::Event { at, kind, actor, summary, .. } => {
            let actor = match actor {
                Actor::Main { .. } => String::new(),
                Actor::Subagent { id, agent_type } => format!(" [{agent_type} {id}]"),
            };
            let kind = format!("  {kind:<24}{actor} ");
            ui.wrapped_line(&[(Tone::Faint, &at), (Tone::Plain, &kind)], &summary)
        }
    }
}
