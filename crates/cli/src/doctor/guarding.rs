//! Checks whether the registered hooks fail open or closed as the guard's mode requires.

use verger_agent::{AgentSpec, Guarding};

use super::registration::Registered;
use super::{Check, Repair};
use crate::install::inspect::{Installation, Owner, Program};

const NAME: &str = "guard";

pub(crate) fn checks(
    agent: &AgentSpec,
    installation: &Installation,
    wanted: Guarding,
) -> Vec<Check> {
    let registered = Registered::of(installation);
    let is_shared = |owner| owner == Owner::Project;
    let is_only_shared = registered != Registered::ByPlugin
        && installation.settings_with_hooks().all(|(file, _)| is_shared(file.owner));
    let check = match (installation.guarding, wanted) {
        _ if registered == Registered::No => return vec![],
        (Guarding::Watching, Guarding::Watching) => return vec![],
        (Guarding::Watching, Guarding::Enforcing) if is_only_shared => Check::fine(
            NAME,
            "guard.mode is enforce; if verger is missing, hooks in a project's shared settings let calls run",
        ),
        (Guarding::Watching, Guarding::Enforcing) => Check::problem(
            NAME,
            "guard.mode is enforce, but the registered hooks let a call run when the hook fails",
            "verger doctor --fix",
        )
        .mended_by(Some(Repair::Guarding)),
        (Guarding::Enforcing, Guarding::Watching) => Check::problem(
            NAME,
            "guard.mode is not enforce, but the registered hooks deny a call when the hook fails",
            "verger doctor --fix",
        )
        .mended_by(Some(Repair::Guarding)),
        (Guarding::Enforcing, Guarding::Enforcing) => Check::fine(NAME, enforced(agent)),
    };
    let is_missing = matches!(installation.program, Program::Missing | Program::Broken { .. });
    let refused = (installation.guarding == Guarding::Enforcing && is_missing).then(|| {
        Check::problem(
            NAME,
            "every tool call of the agent is denied: guard.mode is enforce, and the hook program is missing",
            "verger doctor --fix; in a container: install verger in it, or run outside of it: verger \
             config set guard.mode observe, or turn the plugin off in the agent",
        )
    });
    [check].into_iter().chain(refused).collect()
}

fn enforced(agent: &AgentSpec) -> String {
    let product = agent.install.product;
    let Some(fail_closed) = agent.install.fail_closed else {
        return format!(
            "enforces; {product} has no setting by which a failing hook stops the call: when the \
             hook is missing, killed or too slow, the call runs"
        );
    };
    let (key, versions) = (fail_closed.key, fail_closed.ignored_by.join(", "));
    format!(
        "guard.mode is enforce, and a call is denied if the hook fails ({key}); {product} {versions} \
         ignores {key}: there, a call runs if the program that starts the hook is missing or killed"
    )
}
