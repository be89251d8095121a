//! `verger-chores install-agents`: installs the real coding agents that tests start. `cargo xtask
//! test` runs this.

use verger_testkit::{ClaudeCode, Version};
use verger_xtask::Root;

use crate::failure::Failure;

/// Installs the agents in the directory where `testkit` looks for them.
pub(crate) fn install_agents(root: &Root) -> Result<(), Failure> {
    let directory = match verger_testkit::agents_directories().into_iter().next() {
        Some(directory) => directory,
        None => root.target_directory()?.join("agents"),
    };
    for version in Version::ALL {
        if ClaudeCode::find(version).is_some() {
            continue;
        }
        eprintln!("   Claude Code {version} into {}", directory.display());
        verger_testkit::install(version, &directory)
            .map_err(|source| Failure::InstallAgent { version, source })?;
    }
    Ok(())
}
