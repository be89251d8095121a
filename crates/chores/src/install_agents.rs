//! `verger-chores install-agents`: the real coding agents that tests start. `cargo xtask test` runs it.

use std::thread;

use verger_testkit::Client;
use verger_xtask::Root;

use crate::failure::Failure;

/// The real coding agents that tests start, where the test kit looks for them. They are installed
/// side by side: most of the time goes into unpacking some hundred megabytes each.
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
