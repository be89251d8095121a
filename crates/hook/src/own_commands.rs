//! The guard of verger's own commands: an agent's are allowed when they stand alone, a person's are
//! denied.

use verger_event::{Grounds, Verdict};
use verger_gate::{OwnCommand, deny_own_command};

use crate::spoken::Spoken;

const GUARD: &str = "authority";

/// Says what there is to say of one of verger's own commands.
pub(crate) fn speak(command: &OwnCommand, spoken: &mut Spoken) {
    match command {
        OwnCommand::Agents { command } => {
            let reason = format!("`verger {command}` is for agents");
            let grounds = Grounds::of_rule("an agent's own command, alone and plain");
            spoken.opinion(GUARD, Verdict::Allow { reason }, grounds);
        }
        OwnCommand::NotAgents { command, audience } => {
            let reason = deny_own_command(command, *audience);
            let grounds = Grounds::of_rule("not an agent's to run").fact("command", command);
            spoken.opinion(GUARD, Verdict::Deny { reason }, grounds);
        }
        OwnCommand::None | OwnCommand::Decide(_) => {}
    }
}
