//! The output of an agent's command that can't write, as in its client's sandbox. The hook runs the
//! same command again, outside of the sandbox.

use serde_json::json;
use verger_event::SessionId;
use verger_gate::{KEEPING, LEFT_TO_HOOK};

use crate::invocation::ancestry::agent_above;
use crate::invocation::authority::Invocation;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui};
use crate::render::short_ids::short_session;

/// Replaces the output of the command by a message that the hook will run it.
pub(crate) fn say(ui: &mut Ui, id: &SessionId) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({ "session": id, "kept": LEFT_TO_HOOK }))?);
    }
    ui.line(format!(
        "{LEFT_TO_HOOK}, for session {}: verger's data cannot be written from here",
        short_session(id.as_str())
    ))?;
    Ok(ui.note(
        "if this was one plain command, the hook runs it after the call and tells you the result",
    )?)
}

/// Adds the warning if an agent's command failed because it can't open verger's data. The hook runs
/// that command again.
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

/// Adds a warning to the output of the command: the hook will record the result.
pub(crate) fn add(ui: &Ui) {
    ui.warn(&format!("{LEFT_TO_HOOK}: verger's data cannot be written from here"));
}
