//! Finds subagents that the agent's program may start instead of verger's reviewer.
//!
//! Only the type identifies a subagent, and another definition may have the same type. So the
//! files from which the agent's program reads its subagents are searched. Definitions on the
//! program's command line are not searched, because the person who started the program chose
//! them.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use verger_agent::{AgentSpec, PluginSpec};
use verger_event::gathered;

use crate::{Environment, read_bounded};

/// Maximum number of definition files that are read, and of directory levels. Real setups have
/// fewer. A larger directory counts as if it had a namesake.
const MAX_FILES: usize = 1_000;
const MAX_DEPTH: usize = 8;

/// A definition that may have the reviewer's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Namesake {
    /// The subagent in this file.
    Agent(PathBuf),
    /// A subagent of this plugin, which these settings enable.
    Plugin { name: String, settings: PathBuf },
    /// This directory has too many files to search.
    TooMany(PathBuf),
}

impl fmt::Display for Namesake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(path) => {
                write!(f, "the agent defined in {} may have the reviewer's name", path.display())
            }
            Self::Plugin { name, settings } => {
                write!(
                    f,
                    "{} turns on {name}, which has the name of verger's plugin",
                    settings.display()
                )
            }
            Self::TooMany(path) => {
                write!(f, "{} has too many entries to be checked", path.display())
            }
        }
    }
}

/// Searches the agent's working directory, the directories above it, and the agent's own
/// directory.
pub fn find_namesake(
    agent: &AgentSpec,
    environment: &Environment,
    cwd: Option<&Path>,
) -> Option<Namesake> {
    let install = &agent.install;
    let plugin = &install.plugin?;
    let path = |name| environment.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = path(install.directory_env.name)
        .map(|value| install.directory_env.directory(value))
        .or_else(|| path("HOME").map(|home| home.join(install.directory)));
    // The agent may have changed its directory, so the one it started in counts too.
    let started = install.project_env.and_then(path);
    let places = [cwd, started.as_deref()].into_iter().flatten().flat_map(Path::ancestors);
    let places: BTreeSet<&Path> = gathered(places);
    let folders = places.iter().map(|place| place.join(plugin.project_agents));
    let folders = own.iter().map(|own| own.join(plugin.user_agents)).chain(folders);
    let settings = places.iter().flat_map(|place| {
        let names = [Some(install.project_settings), install.local_settings].into_iter().flatten();
        names.map(|name| place.join(name))
    });
    let settings = own.iter().map(|own| own.join(install.user_settings)).chain(settings);
    let mut left = MAX_FILES;
    folders
        .into_iter()
        .find_map(|folder| in_folder(plugin, &folder, MAX_DEPTH, &mut left))
        .or_else(|| settings.into_iter().find_map(|path| in_settings(plugin, path)))
}

fn in_folder(
    plugin: &PluginSpec,
    folder: &Path,
    depth: usize,
    left: &mut usize,
) -> Option<Namesake> {
    let entries = fs::read_dir(folder).ok()?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if *left == 0 || depth == 0 {
            return Some(Namesake::TooMany(folder.to_owned()));
        }
        *left -= 1;
        if path.is_dir() {
            if let found @ Some(_) = in_folder(plugin, &path, depth - 1, left) {
                return found;
            }
        } else if is_agent_file(&path)
            && let Ok(Some(bytes)) = read_bounded(&path)
            && (plugin.may_be_namesake)(&String::from_utf8_lossy(&bytes))
        {
            return Some(Namesake::Agent(path));
        }
    }
    None
}

fn is_agent_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

/// The agent's program ignores settings that aren't JSON, too.
fn in_settings(plugin: &PluginSpec, path: PathBuf) -> Option<Namesake> {
    let bytes = read_bounded(&path).ok()??;
    let name = plugin.namesake(&bytes)?;
    Some(Namesake::Plugin { name, settings: path })
}
