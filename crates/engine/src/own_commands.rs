//! The guard of verger's own commands: an agent's are allowed when they stand alone, a person's are
//! denied.

use std::path::Path;

use verger_event::{Grounds, Verdict};
use verger_gate::{OwnCommand, deny_own_command};
use verger_store_local::Home;

use crate::Environment;
use crate::facts::work_directory;
use crate::gates::Told;
use crate::spoken::Spoken;
use crate::trust::trusted_worktree;

const GUARD: &str = "authority";

/// Says what there is to say of one of verger's own commands.
pub(crate) fn speak(
    command: &OwnCommand,
    told: &Told<'_>,
    (home, environment): (&Home, &Environment),
    spoken: &mut Spoken,
) {
    match command {
        OwnCommand::Agents { command } => allow(command, spoken),
        OwnCommand::AgentsTrusted { command, sessions } => {
            if is_own(sessions, told) && is_trusted(told, home, environment) {
                allow(command, spoken);
            }
        }
        OwnCommand::NotAgents { command, audience } => {
            let reason = deny_own_command(command, *audience);
            let grounds = Grounds::of_rule("not an agent's to run").fact("command", command);
            spoken.opinion(GUARD, Verdict::Deny { reason }, grounds);
        }
        OwnCommand::None | OwnCommand::Decide(_) => {}
    }
}

fn allow(command: &str, spoken: &mut Spoken) {
    let reason = format!("`verger {command}` is for agents");
    let grounds = Grounds::of_rule("an agent's own command, alone and plain");
    spoken.opinion(GUARD, Verdict::Allow { reason }, grounds);
}

/// Another session may work where nobody trusts anything.
fn is_own(sessions: &[String], told: &Told<'_>) -> bool {
    let own = told.draft.origin.session.as_str();
    sessions.iter().all(|named| !named.is_empty() && own.starts_with(named.as_str()))
}

/// Where the session's work is, which is where its checks run.
fn is_trusted(told: &Told<'_>, home: &Home, environment: &Environment) -> bool {
    let session = &told.state.session;
    let directory = work_directory(&told.state.work, session.cwd.as_deref());
    let user_home = environment.get("HOME");
    trusted_worktree(home, &directory, user_home.as_ref().map(Path::new))
}
