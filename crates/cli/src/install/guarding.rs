//! The guard's mode in the registration of the hooks. The hook's command line contains the mode, so
//! that the hook knows whether to fail closed before it reads any configuration.

use std::path::PathBuf;

use verger_agent::Guarding;
use verger_engine::ConfigFiles;
use verger_event::GuardMode;

use super::inspect::{Plugin, inspect};
use super::receipt::Receipt;
use super::setup::{Planner, carry_out};
use super::{agents_here, plugin_files};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

/// The guarding that the user's own configuration asks for. Projects and the environment are
/// ignored, although they can make the guard stricter, because a registration applies everywhere.
pub(crate) fn guarding_wanted(context: &Context) -> Result<Guarding, CommandError> {
    let files = ConfigFiles::read(&context.home()?, None, &context.environment);
    let (settings, _) = files.resolve_with(&[]);
    Ok(match settings.guard.mode.value {
        GuardMode::Enforce => Guarding::Enforcing,
        GuardMode::Observe | GuardMode::Off => Guarding::Watching,
    })
}

/// Registrations that were made again.
#[derive(Debug, Default)]
pub(crate) struct Registered {
    /// The files and directories that were written.
    pub(crate) written: Vec<PathBuf>,
    /// The steps that are left to the person before agents run the changed hooks.
    pub(crate) consent_steps: Vec<&'static str>,
}

/// Registers existing registrations again for the guard's current mode. The caller holds the lock.
pub(crate) fn apply(context: &Context) -> Result<Registered, CommandError> {
    let wanted = guarding_wanted(context)?;
    let own = context.own_places()?;
    let receipt = Receipt::read(&own);
    let Registered { mut written, mut consent_steps } = Registered::default();
    let (mut files, mut after) = (Vec::new(), receipt.clone());
    for agent in agents_here(context)? {
        let places = context.places(agent)?;
        let installation = inspect(&places, &context.environment);
        if installation.plugin == Plugin::On && installation.guarding != wanted {
            plugin_files::write(&places, wanted)?;
            written.push(places.user_folder.clone());
        }
        let changes = Planner { places: &places, receipt: &receipt }.plan_guarding(wanted)?;
        if !changes.is_empty() {
            consent_steps.extend(agent.install.consent);
            after.remember(&places, &changes, context.clock.now().as_millis())?;
            files.extend(changes.into_iter().map(|(change, _)| change));
        }
    }
    if !files.is_empty() {
        carry_out(&own, &receipt, &after, &files)?;
        written.extend(files.into_iter().map(|change| change.path));
    }
    Ok(Registered { written, consent_steps })
}
