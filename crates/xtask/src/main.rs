//! Project chores, started as `cargo xtask <chore>`: one file each.

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
mod dist;
mod drift_score;
mod failure;
mod generate;
mod guard_score;
mod install;
mod man;
mod markdown;
mod newcomer;
mod phases;
mod process;
mod soak;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;
use crate::workspace::Root;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Project chores", disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    Test(test::TestArgs),
    Tidy(tidy::TidyArgs),
    Generate(generate::GenerateArgs),
    Dist(dist::DistArgs),
    ClaimsScore(claims_score::ClaimsScoreArgs),
    DriftScore(drift_score::DriftScoreArgs),
    GuardScore(guard_score::GuardScoreArgs),
    Man(man::ManArgs),
    Bench(bench::BenchArgs),
    #[command(hide = true)]
    BenchWork(bench::WorkArgs),
    #[command(hide = true)]
    BenchTree(bench::TreeArgs),
    Newcomer(newcomer::NewcomerArgs),
    Capture(capture::CaptureArgs),
    Soak(soak::SoakArgs),
    #[command(hide = true)]
    SoakWriter(soak::WriterArgs),
    #[command(hide = true)]
    SoakDiskFull(soak::DiskFullArgs),
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprint!("\n{}", failure.report());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    // Not asked for by processes that we start ourselves: they get no environment.
    let root = Root::from_environment;
    match &arguments.chore {
        Chore::Test(args) => test::test(&root()?, args),
        Chore::Tidy(args) => tidy::tidy(&root()?, args),
        Chore::Generate(args) => generate::generate(&root()?, args),
        Chore::ClaimsScore(args) => claims_score::claims_score(args),
        Chore::DriftScore(args) => drift_score::drift_score(args),
        Chore::GuardScore(args) => guard_score::guard_score(args),
        Chore::Dist(args) => dist::dist(&root()?, args),
        Chore::Man(args) => man::man(&root()?, args),
        Chore::Bench(args) => bench::bench(&root()?, args),
        Chore::BenchWork(args) => bench::work(args),
        Chore::BenchTree(args) => bench::tree_work(args),
        Chore::Newcomer(args) => newcomer::newcomer(&root()?, args),
        Chore::Capture(args) => capture::capture(&root()?, args),
        Chore::Soak(args) => soak::soak(&root()?, args),
        Chore::SoakWriter(args) => soak::write(args),
        Chore::SoakDiskFull(args) => soak::fill_disk(args),
    }
}
