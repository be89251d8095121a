//! `verger observe`: stores a note for the session's reflection.

use clap::Args;
use serde_json::json;
use verger_event::Event;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::invocation::deferred_to_hook;
use crate::invocation::text_input::TextInput;
use crate::render::output::{Output, Ui};
use crate::sessions::gated::{GatedSession, Keeping};
use crate::sessions::picker::meant;

/// The limit of a learning's detail.
const MAX_CHARS: usize = 2000;
const MAX_AUTHOR_CHARS: usize = 100;

/// Note something worth knowing, for the session's reflection.
///
/// For agents and their subagents while they work. The notes of a session are offered when it
/// reflects: `verger reflect --candidates` shows them.
#[derive(Debug, Args)]
pub(crate) struct ObserveArgs {
    /// The note, in at most 2000 characters; without it, or as `-`, standard input is read.
    note: Option<String>,

    /// The session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,

    /// The author of the note, such as the subagent's name.
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
}

pub(crate) fn observe(
    ui: &mut Ui,
    context: &Context,
    args: &ObserveArgs,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let note = TextInput { what: "the note", max_chars: MAX_CHARS };
    let text = note.read(args.note.as_deref(), std::io::stdin().lock())?;
    let author = TextInput { what: "the author", max_chars: MAX_AUTHOR_CHARS };
    let author = args.author.as_deref().map(|name| author.checked(name)).transpose()?;
    let segment = meant(&store, context, args.session.as_deref())?.required()?;
    let session = GatedSession::look_up_for_agent(context, &store, &segment)?;
    session.record(context, &store, &[], |_| {
        (vec![Event::ObservationRecorded { text, author }], ())
    })?;
    tell_passed_over(ui, &store);
    let id = &session.key.session;
    if session.keeping() == Keeping::LeftToHook {
        return deferred_to_hook::say(ui, id);
    }
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({ "session": id, "noted": true }))?);
    }
    ui.line(format!("noted, for session {id}"))?;
    Ok(ui.note("the agent is shown this note when a reflection is due")?)
}
