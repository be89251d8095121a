//! `verger skip`: a person opens a gate.

use clap::{Args, ValueEnum};
use serde_json::json;
use verger_gate::review::{self, Input, Say};

use crate::command_error::CommandError;
use crate::context::{Context, tell_passed_over};
use crate::gated_session::{GatedSession, Stepped};
use crate::session_choice::meant;
use crate::ui::{Output, Ui};

/// Let an agent pass a gate that is not satisfied.
///
/// The agent may stop and use what the gate holds back until its next task begins. The release is
/// kept in the log, with the reason.
#[derive(Debug, Args)]
pub(crate) struct SkipArgs {
    /// The gate.
    #[arg(long)]
    gate: Gate,

    /// The session: its id, or the beginning of it. Without it, the only live one of this project.
    #[arg(long)]
    session: Option<String>,

    /// Why, for whoever reads the log.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// A gate that a person can open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Gate {
    /// No "done" without a review.
    Review,
}

pub(crate) fn skip(ui: &mut Ui, context: &Context, args: &SkipArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = meant(&store, context, args.session.as_deref())?.required()?;
    let session = GatedSession::look_up(context, &store, &segment)?;
    let Gate::Review = args.gate;
    let input = Input::Skip { reason: args.reason.as_deref() };
    let stepped = session.step(context, &store, &[], |review, policy| {
        review::step(review, &input, policy, context.clock.now())
    })?;
    tell_passed_over(ui, &store);
    report(ui, &session, &stepped)
}

fn report(ui: &mut Ui, session: &GatedSession, stepped: &Stepped) -> Result<(), CommandError> {
    let Stepped { before, say, .. } = stepped;
    let (gate, was, id) = (review::GATE, before.phase.name(), &session.key.session);
    let is_released = *say != Say::NothingToOpen;
    match (ui.output(), is_released) {
        (Output::Json, _) => {
            let answer =
                json!({ "session": id, "gate": gate, "was": was, "released": is_released });
            ui.json(&answer)?;
        }
        (Output::Text, true) => {
            ui.line(format!("released: the {gate} gate of session {id}, which was {was}"))?;
            ui.note("the agent may stop now; verger status shows how its gates stand")?;
        }
        (Output::Text, false) => {
            ui.line(format!("nothing to open: the {gate} gate of session {id} is {was}"))?;
        }
    }
    Ok(())
}
