//! `verger session handoff`: the facts that an agent needs after its context was compacted.

use clap::Args;
use serde_json::json;
use verger_chronicle::{Chronicle, Line};
use verger_engine::State;
use verger_event::{HandoffTrigger, Timestamp};
use verger_gate::drift;
use verger_store::{ReadLog, SegmentName, Store};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui};
use crate::render::time::local_time;
use crate::sessions::event_picker::each_record_told;
use crate::sessions::picker::meant_or_latest;

/// Show a session's last handoff, or what one would say now.
///
/// A handoff has the goal, the limits, progress, decisions, files, state and next action. It is
/// written before the agent's context is compacted and when a session ends. The agent gets it once
/// when it continues.
#[derive(Debug, Args)]
pub(crate) struct HandoffArgs {
    /// The session's id or its beginning; default: this project's live session, or its latest.
    id: Option<String>,

    /// The same as the argument.
    #[arg(long, conflicts_with = "id", hide = true)]
    session: Option<String>,
}

/// The last handoff that was written to the log.
struct Written {
    at: Timestamp,
    trigger: String,
    text: String,
}

pub(super) fn handoff(
    ui: &mut Ui,
    context: &Context,
    args: &HandoffArgs,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let given = args.id.as_deref().or(args.session.as_deref());
    let segment = meant_or_latest(&store, context, given)?;
    let mut chronicle = Chronicle::default();
    let mut written = None;
    each_record_told(ui, &store, &segment, &mut |record| {
        for line in chronicle.take(&record) {
            if let Line::HandedOver { trigger, text } = line {
                written = Some(Written { at: record.draft.at, trigger, text });
            }
        }
    })?;
    let (SegmentName::Session(stem) | SegmentName::Project(stem)) = &segment;
    let now = match written {
        Some(_) => None,
        None => text_now(&store, stem, &chronicle)?,
    };
    let session = store.key_of(stem)?.map_or_else(|| stem.clone(), |key| key.session.to_string());
    tell_passed_over(ui, &store);
    let is_given = chronicle.track().handoff_written().is_none();
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({
            "session": session,
            "written": written.map(|written| json!({
                "at_ms": written.at.as_millis(),
                "trigger": written.trigger,
                "text": written.text,
                "given_back": is_given,
            })),
            "now": now,
        }))?);
    }
    match (written, now) {
        (Some(Written { at, trigger, text }), _) => {
            let given =
                if is_given { "given to the agent since" } else { "not given to the agent yet" };
            ui.note(format!("written {} before {trigger}, {given}:", local_time(at)))?;
            print_text(ui, &text)
        }
        (None, Some(text)) => {
            let done = chronicle.task().filter(|task| task.status == "completed");
            let done = done.map(|task| format!("; task {} was completed", task.number));
            ui.note(format!(
                "no handoff was written yet{}; one written now would say:",
                done.unwrap_or_default()
            ))?;
            print_text(ui, &text)
        }
        (None, None) => Ok(ui.line(format!(
            "nothing to hand over: no person has asked for anything in session {session}"
        ))?),
    }
}

fn text_now(
    store: &impl Store,
    stem: &str,
    chronicle: &Chronicle,
) -> Result<Option<String>, CommandError> {
    let state: State = store.folded(stem)?;
    let todos = &state.learning.todos;
    let open: Vec<String> =
        todos.open_ids().map(|id| todos.subject(id).unwrap_or(id).to_owned()).collect();
    let handoff = chronicle.track().handoff(&open);
    Ok(handoff.map(|handoff| {
        drift::handoff(&handoff, HandoffTrigger::Compaction, drift::MAX_HANDOFF_CHARS)
    }))
}

fn print_text(ui: &mut Ui, text: &str) -> Result<(), CommandError> {
    text.lines().try_for_each(|line| ui.line(line))?;
    Ok(())
}
