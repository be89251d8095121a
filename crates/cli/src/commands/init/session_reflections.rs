//! Asks whether agents should reflect at the end of a session, if no ticket system is found.
//! Without tickets, the learning gate would never ask for a reflection.

use verger_config::Origin;
use verger_engine::{learning_policy, ticket_order};
use verger_event::TicketSystem;
use verger_gate::learning::Mode;
use verger_library::tickets::discover;

use crate::commands::config::set_for_user;
use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Answer, Output, Ui, controlling_terminal};

const KEY: &str = "tickets.session";

/// Asks a person at a terminal. Without a terminal, prints the command to use.
pub(super) fn offer(ui: &mut Ui, context: &Context, consent: Consent) -> Result<(), CommandError> {
    if ui.output() == Output::Json || ui.is_quiet() || !is_open(context)? {
        return Ok(());
    }
    let found =
        "No ticket system was found here, so agents are never asked what their work taught.";
    let is_watched = !consent.yes && controlling_terminal().is_ok();
    if !is_watched {
        ui.note(found)?;
        return Ok(ui.note(format!("To ask at the end of sessions: verger config set {KEY} true"))?);
    }
    let question = format!("{found} Ask at the end of every session that changed something?");
    match ui.confirm(consent, &question)? {
        Answer::Yes => set_for_user(ui, context, KEY, "true"),
        Answer::No => {
            Ok(ui.note(format!("not set; to set it later: verger config set {KEY} true"))?)
        }
    }
}

/// Whether nothing asks for a reflection and no setting decides about reflections.
fn is_open(context: &Context) -> Result<bool, CommandError> {
    let settings = context.settings(&context.home()?).settings;
    let policy = learning_policy(&settings);
    let is_decided = policy.mode == Mode::Off
        || settings.tickets.session.origin != Origin::Default
        || policy.uses(TicketSystem::Tasks);
    // Without a current directory, there is no project to check.
    let (Ok(root), Ok(cwd)) = (context.project_root(), context.directory()) else {
        return Ok(false);
    };
    Ok(!is_decided && discover(&root, cwd, &ticket_order(&settings)).in_use().is_none())
}
