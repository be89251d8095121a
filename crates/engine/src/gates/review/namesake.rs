//! Whether another agent may have started in the place of verger's reviewer.
//!
//! A subagent is known by its type alone, and somebody else's agent can have the same one: what an
//! agent's program would read from files is looked for in the same files. What was said on the
//! program's command line is not seen here: that is whoever started it.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use verger_agent::AgentSpec;
use verger_event::gathered;

use crate::{Environment, read_bounded};

/// How many agents' files are looked into, and how deep folders are followed. Nobody has as many,
/// and who hides one behind them is not believed.
const MAX_FILES: usize = 1_000;
const MAX_DEPTH: usize = 8;

/// What may have taken the reviewer's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Namesake {
    /// The agent in this file.
    Agent(PathBuf),
    /// An agent of this plugin, which these settings turn on.
    Plugin { name: String, settings: PathBuf },
    /// Somebody in this folder: there is too much in it to be looked at.
    TooMany(PathBuf),
}

impl fmt::Display for Namesake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(path) => {
                write!(f, "the agent in {} may have the reviewer's name", path.display())
            }
            Self::Plugin { name, settings } => {
                write!(
                    f,
                    "{} turns on {name}, which has the name of verger's plugin",
                    settings.display()
                )
            }
            Self::TooMany(path) => write!(f, "{} has too much in it to be checked", path.display()),
        }
    }
}

/// Looks from the directory in which the agent works, and in the agent's own.
pub fn find_namesake(
    agent: &AgentSpec,
    environment: &Environment,
    cwd: Option<&Path>,
) -> Option<Namesake> {
    let install = &agent.install;
    let path = |name| environment.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = path(install.directory_env)
        .or_else(|| path("HOME").map(|home| home.join(install.directory)));
    // What the agent itself does may have led it elsewhere: where it started counts too.
    let started = path(install.project_env);
    let places = [cwd, started.as_deref()].into_iter().flatten().flat_map(Path::ancestors);
    let places: BTreeSet<&Path> = gathered(places);
    let folders = places.iter().map(|place| place.join(install.project_agents));
    let folders = own.iter().map(|own| own.join(install.user_agents)).chain(folders);
    let settings = places.iter().flat_map(|place| {
        [install.project_settings, install.local_settings].map(|name| place.join(name))
    });
    let settings = own.iter().map(|own| own.join(install.user_settings)).chain(settings);
    let mut left = MAX_FILES;
    folders
        .into_iter()
        .find_map(|folder| in_folder(agent, &folder, MAX_DEPTH, &mut left))
        .or_else(|| settings.into_iter().find_map(|path| in_settings(agent, path)))
}

fn in_folder(agent: &AgentSpec, folder: &Path, depth: usize, left: &mut usize) -> Option<Namesake> {
    let entries = fs::read_dir(folder).ok()?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if *left == 0 || depth == 0 {
            return Some(Namesake::TooMany(folder.to_owned()));
        }
        *left -= 1;
        if path.is_dir() {
            if let found @ Some(_) = in_folder(agent, &path, depth - 1, left) {
                return found;
            }
        } else if is_agent_file(&path)
            && let Ok(Some(bytes)) = read_bounded(&path)
            && (agent.install.may_be_namesake)(&String::from_utf8_lossy(&bytes))
        {
            return Some(Namesake::Agent(path));
        }
    }
    None
}

fn is_agent_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

/// Settings that are not JSON are not the program's either.
fn in_settings(agent: &AgentSpec, path: PathBuf) -> Option<Namesake> {
    let bytes = read_bounded(&path).ok()??;
    let name = agent.install.namesake_plugin(&bytes)?;
    Some(Namesake::Plugin { name, settings: path })
}
