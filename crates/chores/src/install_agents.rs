//! `verger-chores install-agents`: installs the real coding agents that tests start. `cargo xtask
//! test` runs this.

use std::thread;

use verger_testkit::Client;
use verger_xtask::Root;

use crate::failure::Failure;

/// Installs the agents in the directory where `testkit` looks for them.
pub(crate) fn install_agents(root: &Root) -> Result<(), Failure> {
    let directory = match verger_testkit::agents_directories().into_iter().next() {
        Some(directory) => directory,
        None => root.target_directory()?.join("agents"),
    };
    let missing = Client::ALL.into_iter().filter(|client| client.find().is_none());
    thread::scope(|scope| {
        let directory = &directory;
        let started: Vec<_> = missing
            .map(|client| {
                eprintln!("   {client} into {}", directory.display());
                scope.spawn(move || {
                    verger_testkit::install(client, directory)
                        .map_err(|source| Failure::InstallAgent { client, source })
                })
            })
            .collect();
        let ended: Vec<_> = started.into_iter().map(thread::ScopedJoinHandle::join).collect();
        ended.into_iter().try_for_each(|ended| match ended {
            Ok(installed) => installed,
            Err(panicked) => std::panic::resume_unwind(panicked),
        })
    })
}
