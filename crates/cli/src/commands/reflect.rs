//! `verger reflect`: records an agent's reflection on its work.

use std::io::Read;

use clap::Args;
use serde_json::json;
use verger_memory::{EXAMPLE, EXAMPLE_MARKDOWN, Reflection, SCHEMA};
use verger_store::{SegmentName, Store};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::invocation::deferred_to_hook;
use crate::learning::gate_step::LearningStep;
use crate::learning::offers::Offers;
use crate::learning::reflection::{Reflected, Reflecting, refuse};
use crate::learning::reflection_text;
use crate::render::output::{Output, Ui};
use crate::sessions::gated::{GatedSession, Keeping};
use crate::sessions::picker::meant;

/// The limit of the input. No reflection that can be stored is longer.
const MAX_BYTES: u64 = 512 * 1024;

/// Record what the work taught, read from standard input.
///
/// The reflection is JSON or Markdown; `--example` prints one, `--schema` prints its JSON Schema.
/// Accepted candidates are kept as learnings for other sessions, and the learning gate opens.
/// Rejected candidates are listed with the reasons; the others are still kept. Exit code 1 means
/// that no candidate was kept: the gate stays closed.
#[derive(Debug, Args)]
pub(crate) struct ReflectArgs {
    /// The session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,

    /// Print the JSON Schema of a reflection.
    #[arg(long, conflicts_with_all = ["example", "candidates"])]
    schema: bool,

    /// Print a reflection, in JSON and in Markdown.
    #[arg(long, conflicts_with = "candidates")]
    example: bool,

    /// Print the material for the reflection: notes, review findings, results of subagents.
    #[arg(long)]
    candidates: bool,
}

pub(crate) fn reflect(
    ui: &mut Ui,
    context: &Context,
    args: &ReflectArgs,
) -> Result<(), CommandError> {
    if args.schema {
        return Ok(ui.script(SCHEMA)?);
    }
    if args.example {
        return example(ui);
    }
    let store = context.open_store(ui)?;
    let given = args.session.as_deref();
    if args.candidates {
        let segment = meant(&store, context, given)?.required()?;
        return candidates(ui, context, &store, &segment);
    }
    let read = text_from(std::io::stdin().lock())
        .and_then(|text| Reflection::read(&text).map_err(|why| why.to_string()));
    // Without a session on the command line, the session that the reflection names is used.
    let written = read.as_ref().ok().and_then(|reflection| reflection.session.as_deref());
    let segment = meant(&store, context, given.or(written))?.required()?;
    let session = GatedSession::look_up_for_agent(context, &store, &segment)?;
    let result = match read {
        Err(why) => {
            let step = refuse(context, &store, &session, &why)?;
            report_refused(ui, &session, &step, &why)
        }
        Ok(reflection) => {
            let reflecting = Reflecting::begin(context, &store, &session)?;
            let reflected = reflecting.reflect(&segment, reflection)?;
            report(ui, &session, &reflected)
        }
    };
    tell_passed_over(ui, &store);
    result
}

fn text_from(input: impl Read) -> Result<String, String> {
    let mut bytes = vec![];
    let read = input.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("the reflection cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err("the reflection is longer than 512 KiB".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "the reflection is not UTF-8".to_owned())
}

fn example(ui: &mut Ui) -> Result<(), CommandError> {
    match ui.output() {
        Output::Json => ui.script(EXAMPLE)?,
        Output::Text => {
            ui.script(EXAMPLE)?;
            ui.note("")?;
            ui.note("or the same in Markdown:")?;
            ui.note("")?;
            if !ui.is_quiet() {
                ui.script(EXAMPLE_MARKDOWN)?;
            }
        }
    }
    Ok(())
}

fn candidates(
    ui: &mut Ui,
    context: &Context,
    store: &impl Store,
    segment: &SegmentName,
) -> Result<(), CommandError> {
    let session = GatedSession::look_up(context, store, segment)?;
    let offered = Offers::read(store, segment)?;
    tell_passed_over(ui, store);
    let id = &session.key.session;
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({ "session": id, "candidates": offered.to_json() }))?);
    }
    if offered.is_empty() {
        return Ok(
            ui.line(format!("there are no notes or findings for the reflection of session {id}"))?
        );
    }
    for line in offered.lines() {
        ui.line(line)?;
    }
    Ok(ui.note("verger reflect stores a reflection; verger reflect --example shows the form")?)
}

fn report_refused(
    ui: &mut Ui,
    session: &GatedSession,
    step: &LearningStep,
    why: &str,
) -> Result<(), CommandError> {
    let id = &session.key.session;
    if ui.output() == Output::Json {
        let gate = step.after.phase.name();
        ui.json(&json!({ "session": id, "taken": false, "gate": gate, "why": why }))?;
    } else {
        ui.line(format!("reflection rejected, for session {id}: {why}"))?;
        ui.note("verger reflect --example shows a reflection; --schema prints its JSON Schema")?;
    }
    if session.keeping() == Keeping::LeftToHook {
        deferred_to_hook::add(ui);
    }
    Err(CommandError::Found)
}

fn report(ui: &mut Ui, session: &GatedSession, reflected: &Reflected) -> Result<(), CommandError> {
    let is_taken = reflected.is_taken();
    let id = &session.key.session;
    let is_left = session.keeping() == Keeping::LeftToHook;
    if is_taken && is_left {
        return deferred_to_hook::say(ui, id);
    }
    match ui.output() {
        Output::Json => ui.json(&reflection_text::to_json(id, reflected))?,
        Output::Text => reflection_text::print(ui, id, reflected)?,
    }
    if is_left {
        deferred_to_hook::add(ui);
    }
    if is_taken { Ok(()) } else { Err(CommandError::Found) }
}
