//! What an agent's command says when it cannot keep anything itself, as in its client's sandbox.

use serde_json::json;
use verger_event::SessionId;
use verger_gate::LEFT_TO_HOOK;

use crate::command_error::CommandError;
use crate::ui::{Output, Ui};

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

/// Beside what the command said already: that it is kept is the hook's part all the same.
pub(crate) fn add(ui: &Ui) {
    ui.warn(&format!("{LEFT_TO_HOOK}: verger's data cannot be written from here"));
}
