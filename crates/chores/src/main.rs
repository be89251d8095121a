//! Project chores that need the crates of the workspace. `cargo xtask <chore>` builds and starts
//! this program.
//!
//! A chore is one file here and one line in the table of `verger_xtask::forwarded`.

#![expect(
    clippy::disallowed_methods,
    reason = "chores start programs, read the environment and measure their own time"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore reports to the person who started it"
)]

mod bench;
mod capture;
mod claims_score;
#[cfg(test)]
mod documented_commands;
mod failure;
mod generate;
mod guard_score;
mod install_agents;
mod man;
mod markdown;
mod newcomer;
mod picture;
mod replay;
mod soak;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use verger_xtask::Root;

use crate::failure::Failure;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "Project chores",
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    Generate(generate::GenerateArgs),
    ClaimsScore(claims_score::ClaimsScoreArgs),
    GuardScore(guard_score::GuardScoreArgs),
    Man(man::ManArgs),
    Picture(picture::PictureArgs),
    Bench(bench::BenchArgs),
    #[command(hide = true)]
    BenchWork(bench::WorkArgs),
    #[command(hide = true)]
    BenchTree(bench::TreeArgs),
    Replay(replay::ReplayArgs),
    Newcomer(newcomer::NewcomerArgs),
    #[command(hide = true)]
    InstallAgents(install_agents::InstallAgentsArgs),
    Capture(capture::CaptureArgs),
    Soak(soak::SoakArgs),
    #[command(hide = true)]
    SoakWriter(soak::WriterArgs),
    #[command(hide = true)]
    SoakDiskFull(soak::DiskFullArgs),
}

/// The file name under which this program behaves like `verger`.
const VERGER: &str = "verger";

fn main() -> ExitCode {
    if std::env::current_exe().is_ok_and(|program| program.ends_with(VERGER)) {
        return verger_cli::main();
    }
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprint!("\n{}", failure.report());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    // The root is looked up only by chores that need it: processes that a chore starts have no such
    // environment.
    let root = Root::from_environment;
    match &arguments.chore {
        Chore::Generate(args) => generate::generate(&root()?, args),
        Chore::ClaimsScore(args) => {
            claims_score::claims_score(args);
            Ok(())
        }
        Chore::GuardScore(args) => guard_score::guard_score(args),
        Chore::Man(args) => man::man(&root()?, args),
        Chore::Picture(args) => picture::picture(&root()?, args),
        Chore::Bench(args) => bench::bench(&root()?, args),
        Chore::BenchWork(args) => bench::work(args),
        Chore::BenchTree(args) => bench::tree_work(args),
        Chore::Replay(args) => replay::replay(&root()?, args),
        Chore::Newcomer(args) => newcomer::newcomer(&root()?, args),
        Chore::InstallAgents(args) => install_agents::install(&root()?, args),
        Chore::Capture(args) => capture::capture(&root()?, args),
        Chore::Soak(args) => soak::soak(&root()?, args),
        Chore::SoakWriter(args) => soak::write(args),
        Chore::SoakDiskFull(args) => soak::fill_disk(args),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use verger_xtask::forwarded;

    use super::*;

    #[test]
    fn cargo_xtask_lists_every_chore_as_it_is_described_here() {
        let command = Arguments::command();
        let ours = command.get_subcommands().filter(|chore| !chore.is_hide_set());
        let ours: Vec<_> = ours
            .map(|chore| (chore.get_name(), chore.get_about().map(ToString::to_string)))
            .collect();
        let listed = forwarded::CHORES.iter();
        let listed: Vec<_> =
            listed.map(|chore| (chore.name, Some(chore.about.to_owned()))).collect();
        assert_eq!(ours, listed);
    }
}
