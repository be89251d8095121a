//! Carries out `verger doctor --fix`. It removes or rewrites a user's file only if `verger init`
//! would do so.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use verger_agent::by_name;
use verger_engine::State;

use crate::commands::init::register;
use crate::config::user_file;
use crate::doctor::{Check, Repair};
use crate::install::hook_program;
use crate::install::setup::Level;
use crate::install::{guarding, plugin_files};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Ui, count};
use crate::render::progress::Meter;

/// The result of a repair.
pub(super) enum Outcome {
    Fixed(String),
    Failed(CommandError),
}

impl Outcome {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Fixed(what) => format!("fixed    {what}"),
            Self::Failed(error) => format!("unfixed  {error}"),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Fixed(what) => json!({ "fixed": what }),
            Self::Failed(error) => json!({ "unfixed": error.to_string(), "help": error.hint() }),
        }
    }
}

/// Carries out the repairs that the checks ask for, each once.
pub(super) fn all(ui: &Ui, context: &Context, checks: &[Check]) -> Vec<Outcome> {
    let mut repairs: Vec<_> = checks
        .iter()
        .filter_map(Check::as_problem)
        .filter_map(|problem| problem.repair.clone())
        .collect();
    // Permissions are repaired first, because verger doesn't use a directory that others may write
    // to.
    repairs.sort();
    repairs.dedup();
    let outcomes = repairs.iter().map(|repair| one(ui, context, repair));
    outcomes.map(|done| done.map_or_else(Outcome::Failed, Outcome::Fixed)).collect()
}

fn one(ui: &Ui, context: &Context, repair: &Repair) -> Result<String, CommandError> {
    match repair {
        Repair::Protect(files) => {
            files.iter().try_for_each(|(path, rights)| protect(path, *rights))?;
            Ok(format!("{} made private to you", count(files.len(), "file")))
        }
        Repair::Rebuild => {
            let store = context.open_store(ui)?;
            let mut meter = Meter::new(ui, "rebuilding session");
            let rebuilt = store
                .rebuild::<State>(&mut |progress| meter.update(progress.done, progress.total))?;
            Ok(format!("rebuilt {} from the log", count(rebuilt.sessions, "session")))
        }
        Repair::HookProgram => {
            let (program, places) = (hook_program::find(None)?, context.own_places()?);
            hook_program::check(&program, &context.environment)?;
            hook_program::install(&program, &places.hook_program)?;
            Ok(format!("copied {}", places.hook_program.display()))
        }
        Repair::Init { agent } => {
            let agent = by_name(agent);
            let left_out = agent.map(|agent| context.places(agent)).transpose()?;
            let left_out = left_out.as_ref().map(plugin_files::left_out).unwrap_or_default();
            register(ui, context, agent.as_slice(), (Level::User, left_out), None)?;
            Ok("registered again, as verger init does".to_owned())
        }
        Repair::Guarding => {
            let _lock = user_file::lock(&context.home()?.data)?;
            let registered = guarding::apply(context)?;
            let steps = registered.consent_steps.iter().flat_map(|step| [". ", step]);
            let done = "registered again, to match guard.mode";
            Ok([done].into_iter().chain(steps).collect())
        }
    }
}

/// Sets the permissions of a file. Does nothing if the path has become a link in the meantime.
fn protect(path: &Path, rights: u32) -> Result<(), CommandError> {
    let failed = |source: io::Error| CommandError::Failed {
        hint: format!("ls -ld {}", path.display()),
        source: NotProtected { path: path.to_owned(), source }.into(),
    };
    let metadata = fs::symlink_metadata(path).map_err(failed)?;
    if metadata.is_symlink() {
        return Err(failed(io::Error::other("it is a link")));
    }
    let mode = metadata.permissions().mode() & !rights;
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(failed)
}

#[derive(Debug, thiserror::Error)]
#[error("change the permissions of {}", path.display())]
struct NotProtected {
    path: PathBuf,
    #[source]
    source: io::Error,
}
