//! How the guard is set, in the registration of the hooks: before a hook has read any configuration,
//! its command line says whether it must fail closed.

use std::path::PathBuf;

use verger_agent::Guarding;
use verger_config::GuardMode;
use verger_engine::ConfigFiles;

use super::inspect::{Plugin, inspect};
use super::receipt::Receipt;
use super::setup::plan_guarding;
use super::{agent, agent_commands, plugin_files, transaction};
use crate::command_error::CommandError;
use crate::context::Context;

/// What the user's own configuration wants. A project or the environment can make the guard stricter,
/// but what is registered holds everywhere.
pub(crate) fn guarding_wanted(context: &Context) -> Result<Guarding, CommandError> {
    let files = ConfigFiles::read(&context.home()?, None, &context.environment);
    let (settings, _) = files.resolve_with(&[]);
    Ok(match settings.guard.mode.value {
        GuardMode::Enforce => Guarding::Enforcing,
        GuardMode::Observe | GuardMode::Off => Guarding::Watching,
    })
}

/// Registers what is registered already for the guard as it is set now, and gives the places that were
/// written. Whoever calls holds the lock.
pub(crate) fn apply(context: &Context) -> Result<Vec<PathBuf>, CommandError> {
    let (agent, places) = (agent(), context.places()?);
    let wanted = guarding_wanted(context)?;
    let mut written = Vec::new();
    let installation = inspect(agent, &places, &context.environment);
    if installation.plugin == Plugin::On && installation.guarding != wanted {
        plugin_files::write(&places.marketplace, wanted)?;
        written.push(places.marketplace.clone());
    }
    let receipt = Receipt::read(&places);
    let changes = plan_guarding(agent, &places, &receipt, wanted, &agent_commands())?;
    let files: Vec<_> = changes.iter().map(|(change, _)| change.clone()).collect();
    if !files.is_empty() {
        let mut after = receipt.clone();
        after.remember(&places, &changes, context.clock.now().as_millis())?;
        after.write(&places)?;
        transaction::apply(&files).inspect_err(|_| {
            // What could not be done is what is told.
            drop(receipt.write(&places));
        })?;
        written.extend(files.into_iter().map(|change| change.path));
    }
    Ok(written)
}
