//! The files that an agent may never change: verger's own files, and files with agents' settings
//! and hooks.

use std::path::{Path, PathBuf};

use crate::Home;
use verger_agent::AGENTS;
use verger_worktree::Surroundings;

use crate::Environment;

/// The paths, both as given and with links resolved.
pub(super) fn own_paths(
    home: Option<&Home>,
    environment: &Environment,
    surroundings: &Surroundings,
) -> Vec<String> {
    let mut paths: Vec<PathBuf> = Vec::new();
    if let Some(home) = home {
        paths.extend([home.data.clone(), home.config.clone()]);
    }
    for install in AGENTS.iter().map(|agent| &agent.install) {
        let variable = environment.get(install.directory_env.name);
        let variable = variable.map(|value| install.directory_env.directory(value));
        let default = environment.get("HOME").map(|home| Path::new(&home).join(install.directory));
        for directory in [variable, default].into_iter().flatten() {
            paths.extend(install.user_files().map(|file| directory.join(file)));
        }
        paths.extend(install.managed_settings.iter().map(PathBuf::from));
    }
    let real: Vec<_> = paths.iter().filter_map(|path| surroundings.real_path(path)).collect();
    paths.extend(real);
    let mut names: Vec<_> = paths
        .iter()
        .filter(|path| path.is_absolute())
        .map(|path| path.display().to_string())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
