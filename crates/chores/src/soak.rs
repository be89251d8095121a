//! `cargo xtask soak`: long runs that kill and stop writers, fill disks and damage logs, and count
//! lost records.
//!
//! Every choice comes from a seed, so a failed run can be repeated. Only the moment at which a
//! signal arrives stays random.

mod audit;
mod corruption;
mod disk_full;
mod hooks;
mod kill;
mod outcome;
mod points;
mod progress;
mod seeded;
mod stopped;
mod writer;

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::soak::outcome::Outcome;
use verger_xtask::Root;
use verger_xtask::{dist, process};

pub(crate) use crate::soak::disk_full::{DiskFullArgs, fill_disk};
pub(crate) use crate::soak::writer::{WriterArgs, write};

const REPORT: &str = "docs/reports/soak.md";

/// Kills, stops, starves and damages, and counts what was lost
#[derive(Args)]
pub(crate) struct SoakArgs {
    /// Runs of killed writers, for each size of payload
    #[arg(long, value_name = "N", default_value_t = 100)]
    runs: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only the parts whose name begins so
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// A little of everything, with the programs as they are built for tests
    #[arg(long)]
    small: bool,
    /// Write docs/reports/soak.md
    #[arg(long)]
    report: bool,
    /// The hook program; without it, it is built
    #[arg(long, hide = true)]
    hook: Option<PathBuf>,
}

/// The parameters that all parts of the soak share.
struct Soak {
    seed: u64,
    extent: Extent,
    /// The path of this program, which is also started as a writer.
    myself: PathBuf,
    hook: PathBuf,
}

/// The extent of each part: the numbers of runs and the time limits.
struct Extent {
    kill_runs: u64,
    seeds_per_point: u64,
    damaged_logs: usize,
    hook_rounds: usize,
    stopped_seconds: u64,
    /// The maximum time of a hook call that can't get the lock, in milliseconds. It doesn't include
    /// the program's start.
    answer_ms: u64,
    full_disks: u64,
}

const SMALL: Extent = Extent {
    kill_runs: 2,
    seeds_per_point: 1,
    damaged_logs: 400,
    hook_rounds: 2,
    stopped_seconds: 2,
    // The limit is long, because other tests run at the same time.
    answer_ms: 1_000,
    full_disks: 1,
};

type Part = fn(&Soak) -> Result<Outcome, Failure>;

const PARTS: &[(&str, Part)] = &[
    ("kill", kill::kill),
    ("points", points::points),
    ("corruption", corruption::corruption),
    ("hooks", hooks::hooks),
    ("stopped", stopped::stopped),
    ("disk-full", disk_full::disk_full),
];

pub(crate) fn soak(root: &Root, args: &SoakArgs) -> Result<(), Failure> {
    let myself = std::env::current_exe()
        .map_err(|source| Failure::Start { command: "verger-chores".to_owned(), source })?;
    let hook = match &args.hook {
        Some(hook) => hook.clone(),
        None if args.small => hook_beside(root, &myself)?,
        None => build_hook(root)?,
    };
    let full = Extent {
        kill_runs: args.runs,
        seeds_per_point: 25,
        damaged_logs: 10_000,
        hook_rounds: 10,
        stopped_seconds: 60,
        answer_ms: 250,
        full_disks: 10,
    };
    let extent = if args.small { SMALL } else { full };
    let soak = Soak { seed: args.seed, extent, myself, hook };
    let mut outcomes = Vec::new();
    for (name, part) in PARTS {
        if args.only.as_deref().is_none_or(|only| name.starts_with(only)) {
            eprintln!("   soaking {name}");
            let outcome = part(&soak)?;
            print!("{}", outcome.text());
            outcomes.push(outcome);
        }
    }
    if args.report {
        let path = root.join(REPORT);
        fs::create_dir_all(root.join("docs/reports"))
            .and_then(|()| fs::write(&path, outcome::markdown(&outcomes, args.seed)))
            .map_err(|source| Failure::Write { path, source })?;
    }
    match outcomes.iter().map(|outcome| outcome.faults.len()).sum() {
        0 => Ok(()),
        count => Err(Failure::SoakFailed { count }),
    }
}

/// Builds the hook program with the settings of the released programs.
fn build_hook(root: &Root) -> Result<PathBuf, Failure> {
    let folder = root.target_directory()?.join("bench");
    dist::build(root, &dist::HOOK, &root.host_target()?, &folder)?;
    Ok(folder.join("verger-hook"))
}

/// The hook program that was built for the tests. A test run of the whole workspace builds it; a
/// test run of only this crate does not.
fn hook_beside(root: &Root, myself: &std::path::Path) -> Result<PathBuf, Failure> {
    let hook = myself.with_file_name("verger-hook");
    if !hook.exists() {
        process::run(&mut root.cargo(["build", "--package", "verger-hook"]))?;
    }
    Ok(hook)
}
