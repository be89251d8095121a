//! What an agent's command says when it cannot keep anything itself, as in its client's sandbox.

use serde_json::json;
use verger_event::SessionId;
use verger_gate::{KEEPING, LEFT_TO_HOOK};

use crate::invocation::ancestry::agent_above;
use crate::invocation::authority::Invocation;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui};

/// For what would have been done: the hook does it.
pub(crate) fn say(ui: &mut Ui, id: &SessionId) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({ "session": id, "kept": LEFT_TO_HOOK }))?);
    }
    ui.line(format!(
        "{LEFT_TO_HOOK}, for session {id}: verger's data cannot be written from here"
    ))?;
    Ok(ui.note(
        "if this stood alone as one plain command, the hook does it when the call has ended, and \
         tells you what came of it",
    )?)
}

/// A command of an agent that failed because it cannot even open verger's data is left to the hook,
/// too.
pub(crate) fn add_if_sealed(
    ui: &Ui,
    invocation: &Invocation,
    context: &Context,
    result: &Result<(), CommandError>,
) {
    let is_sealed = result.as_ref().is_err_and(CommandError::is_sealed);
    if is_sealed
        && KEEPING.contains(&invocation.command())
        && agent_above(&context.environment).is_some()
    {
        add(ui);
    }
}

/// Beside what the command said already: that it is kept is the hook's part all the same.
pub(crate) fn add(ui: &Ui) {
    ui.warn(&format!("{LEFT_TO_HOOK}: verger's data cannot be written from here"));
}
