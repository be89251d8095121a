//! `verger-chores install-agents`: installs the real coding agents that tests start. `cargo xtask
//! test` and `cargo xtask conformance` run this.

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use verger_testkit::{Client, Newest};
use verger_xtask::Root;

use crate::failure::Failure;

/// Installs the real coding agents that tests start
#[derive(Args)]
pub(crate) struct InstallAgentsArgs {
    /// Install only the newest versions of the registry, into this directory, unless tests know them
    #[arg(long, value_name = "DIRECTORY")]
    newest: Option<PathBuf>,
}

pub(crate) fn install(root: &Root, args: &InstallAgentsArgs) -> Result<(), Failure> {
    match &args.newest {
        Some(directory) => {
            Client::NEWEST.into_iter().try_for_each(|client| newest(client, directory))
        }
        None => install_agents(root),
    }
}

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

fn newest(client: Client, directory: &Path) -> Result<(), Failure> {
    let found = verger_testkit::install_newest(client, directory);
    match found.map_err(|source| Failure::InstallAgent { client, source })? {
        Newest::Known => eprintln!("   {client} is the newest version of the registry"),
        Newest::Installed(version) => {
            eprintln!("   {} {version} in place of {client}", client.name());
        }
    }
    Ok(())
}
