//! `verger recall`: what a session would be given with a prompt, and why not the rest.

use std::path::Path;

use clap::Args;
use serde_json::{Value, json};
use verger_hook::{LeftOut, Preview, PreviewOf, Previewed, Selection};
use verger_library::Weighed;

use crate::command_error::CommandError;
use crate::context::{Context, tell_passed_over};
use crate::gated_session::GatedSession;
use crate::install::agent;
use crate::searching::scores_json;
use crate::session_choice::{Meant, meant};
use crate::shelf::Shelf;
use crate::table::Table;
use crate::ui::{Output, Ui};

/// As many that are left out are told as help to see why.
const MAX_LEFT_OUT: usize = 10;

/// Show which learnings a session would be given with a prompt, and why not the others.
///
/// The same is done as when an agent is asked, with what the session was given before, its ticket,
/// its branch and the files that it touched; nothing is recorded. Without a session, it is one whose
/// first prompt this is.
#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// What the agent is asked for.
    #[arg(required = true)]
    prompt: Vec<String>,

    /// The session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,
}

pub(crate) fn recall(
    ui: &mut Ui,
    context: &Context,
    args: &RecallArgs,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let session = match meant(&store, context, args.session.as_deref())? {
        Meant::One(segment) => Some(GatedSession::look_up(context, &store, &segment)?),
        // Whichever it is, a new one is given at least as much.
        Meant::None | Meant::Several(_) => None,
    };
    tell_passed_over(ui, &store);
    let shelf = match &session {
        Some(session) => Shelf::of_session(context, session)?,
        None => Shelf::here(ui, context)?,
    };
    let named = session.as_ref().map(|session| session.key.session.word());
    let spec = session.as_ref().and_then(|one| verger_agent::by_name(one.key.agent.as_str()));
    let directory = session.as_ref().and_then(|one| one.state.session.cwd.as_deref());
    let preview = Preview {
        home: &context.home()?,
        settings: &shelf.loaded.settings,
        environment: &context.environment,
        root: shelf.ground.root.clone(),
        directory: directory.map_or_else(|| context.directory(), |cwd| Ok(Path::new(cwd)))?,
        max_chars: spec.unwrap_or_else(agent).context_limit_chars,
        now: context.clock.now(),
    };
    let of = match (&named, &session) {
        (Some(id), Some(session)) => PreviewOf::Session { id, state: &session.state },
        _ => PreviewOf::New,
    };
    let previewed = preview.with(&args.prompt.join(" "), of)?;
    match ui.output() {
        Output::Json => Ok(ui.json(&to_json(named.as_deref(), &previewed))?),
        Output::Text => print(ui, named.as_deref(), &previewed),
    }
}

fn print(ui: &mut Ui, session: Option<&str>, previewed: &Previewed) -> Result<(), CommandError> {
    let (selection, is_behind) = match previewed {
        Previewed::Off => {
            ui.line("nothing would be given: recall is off")?;
            return Ok(ui.note("verger config set recall.enabled true turns it on")?);
        }
        Previewed::TooShort => {
            ui.line("nothing would be given: so short a prompt says too little")?;
            return Ok(ui.note("verger search finds learnings by any word")?);
        }
        Previewed::NothingKept => {
            ui.line("nothing would be given: no learning is kept")?;
            return Ok(ui.note("verger backends shows where learnings are kept")?);
        }
        Previewed::Selected { selection, is_behind } => (selection, *is_behind),
    };
    if is_behind {
        ui.warn("the index is behind; verger maintain run brings it up to date");
    }
    let whom = session.map_or_else(|| "a new session".to_owned(), |id| format!("session {id}"));
    ui.note(format!("{whom}, asked with: {}", selection.asked))?;
    match &selection.text {
        Some(text) => text.lines().try_for_each(|line| ui.line(line))?,
        None => ui.line("nothing would be given")?,
    }
    left_out(selection).print(ui)?;
    if let Some(more) = selection.left_out.len().checked_sub(MAX_LEFT_OUT + 1) {
        ui.line(format!("{} more are left out: --json shows them", more + 1))?;
    }
    Ok(())
}

fn left_out(selection: &Selection) -> Table {
    let mut table = Table::default();
    for (why, one) in selection.left_out.iter().take(MAX_LEFT_OUT) {
        let learning = &one.filed.learning;
        table
            .row(learning.id.as_str(), format!("left out, {}: {}", reason(*why), learning.summary));
    }
    table
}

fn reason(why: LeftOut) -> &'static str {
    match why {
        LeftOut::GivenBefore => "given before",
        LeftOut::HardlyFits => "hardly fits",
        LeftOut::BehindOthers => "behind the others",
        LeftOut::NoRoom => "no room within recall.budget_tokens",
    }
}

fn to_json(session: Option<&str>, previewed: &Previewed) -> Value {
    let nothing = |why: &str| json!({ "session": session, "given": [], "left_out": [], "text": null, "because": why });
    let (selection, is_behind) = match previewed {
        Previewed::Off => return nothing("off"),
        Previewed::TooShort => return nothing("too_short"),
        Previewed::NothingKept => return nothing("nothing_kept"),
        Previewed::Selected { selection, is_behind } => (selection, is_behind),
    };
    let one = |one: &Weighed| {
        let learning = &one.filed.learning;
        json!({
            "learning": learning.id.as_str(),
            "summary": learning.summary,
            "scores": scores_json(&one.merits),
        })
    };
    let left_out = selection.left_out.iter().map(|(why, left)| {
        let mut value = one(left);
        value["because"] = match why {
            LeftOut::GivenBefore => "given_before",
            LeftOut::HardlyFits => "hardly_fits",
            LeftOut::BehindOthers => "behind_others",
            LeftOut::NoRoom => "no_room",
        }
        .into();
        value
    });
    json!({
        "session": session,
        "asked": selection.asked,
        "given": selection.given.iter().map(one).collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
        "text": selection.text,
        "is_behind": is_behind,
    })
}
