//! Project chores, which are started as `cargo xtask <chore>`. Each chore is one file.
//!
//! This crate uses only cargo and files, so that it builds in seconds. Chores that need the crates
//! of the workspace are in `verger-chores`, which is built only for these chores; see
//! [`forwarded`].

#![expect(
    clippy::disallowed_methods,
    reason = "chores start programs, read the environment and measure their own time"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore reports to the person who started it"
)]

mod build_times;
mod conformance;
pub mod dist;
mod failure;
pub mod forwarded;
mod install;
pub mod messages;
mod phases;
pub mod process;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub use crate::failure::{Failure, report};
pub use crate::workspace::Root;

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
    Test(test::TestArgs),
    /// Tests what verger promises with every real coding agent, also with the newest versions
    Conformance,
    Tidy(tidy::TidyArgs),
    Dist(dist::DistArgs),
    BuildTimes(build_times::BuildTimesArgs),
}

/// The parser for the command line of `cargo xtask`, including the chores of `verger-chores`.
pub fn command_line() -> clap::Command {
    Arguments::command().subcommands(forwarded::CHORES.iter().map(forwarded::Chore::command))
}

/// Runs the chore that the command line names.
pub fn main() -> ExitCode {
    match run(&command_line().get_matches()) {
        Ok(code) => code,
        Err(failure) => {
            eprint!("\n{}", failure.report());
            ExitCode::FAILURE
        }
    }
}

fn run(matches: &clap::ArgMatches) -> Result<ExitCode, Failure> {
    let root = Root::from_environment()?;
    if let Some((name, rest)) = matches.subcommand()
        && let Some(chore) = forwarded::named(name)
    {
        return chore.run(&root, rest);
    }
    let arguments = Arguments::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    match &arguments.chore {
        Chore::Test(args) => test::test(&root, args),
        Chore::Conformance => conformance::conformance(&root),
        Chore::Tidy(args) => tidy::tidy(&root, args),
        Chore::Dist(args) => dist::dist(&root, args),
        Chore::BuildTimes(args) => build_times::build_times(&root, args),
    }?;
    Ok(ExitCode::SUCCESS)
}
