//! `cargo xtask bench`: measures verger's costs, as ratios to another measurement in the same run.
//!
//! Absolute times depend on the machine. So a figure with a bound is usually a ratio of two
//! measurements that are taken alternately.

pub(crate) mod calls;
mod drift;
mod figures;
mod gates;
mod guard;
mod history;
mod hook;
mod many_sessions;
mod parallel;
mod programs;
mod rebuild;
mod recall;
mod redaction;
pub(crate) mod sample;
mod tree;

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::bench::figures::{Figure, broken};
use crate::bench::programs::Programs;
use crate::failure::Failure;
use verger_xtask::Root;

pub(crate) use crate::bench::rebuild::{WorkArgs, work};
pub(crate) use crate::bench::tree::{TreeArgs, tree_work};

const REPORT: &str = "docs/reports/bench.md";

/// Measures what verger costs and compares it with its bounds
#[derive(Args)]
pub(crate) struct BenchArgs {
    /// Calls of each kind
    #[arg(long, value_name = "N", default_value_t = 600)]
    rounds: usize,
    /// Only the measurements whose name begins so
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Sessions of the largest store with a history
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    sessions: usize,
    /// Records for the rebuild
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    events: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Succeed whatever is measured
    #[arg(long)]
    no_fail: bool,
    /// Write docs/reports/bench.md
    #[arg(long)]
    report: bool,
    /// Where the programs to measure are; without it they are built
    #[arg(long, hide = true)]
    programs: Option<PathBuf>,
}

/// The parameters that all measurements share.
struct Bench<'a> {
    args: &'a BenchArgs,
    programs: Programs,
    /// The directory for the files of the measurements. It is on a disk, not in memory.
    folder: PathBuf,
    root: &'a Root,
}

type Measure = fn(&Bench<'_>) -> Result<Vec<Figure>, Failure>;

const MEASUREMENTS: &[(&str, Measure)] = &[
    ("hook/no-opinion", hook::no_opinion),
    ("hook/long-session", hook::long_session),
    ("hook/gate-patterns", gates::gate_patterns),
    ("hook/guard", guard::guard),
    ("hook/drift", drift::drift),
    ("hook/pending-stop", gates::pending_stop),
    ("hook/parallel", parallel::parallel),
    ("history", history::history),
    ("rebuild", rebuild::rebuild),
    ("recall", recall::recall),
    ("redact", redaction::redaction),
    ("tree", tree::tree),
];

pub(crate) fn bench(root: &Root, args: &BenchArgs) -> Result<(), Failure> {
    let folder = root.target_directory()?.join("bench");
    let programs = match &args.programs {
        Some(programs) => Programs::in_folder(programs),
        None => programs::build(root, &folder)?,
    };
    programs.load()?;
    let bench = Bench { args, programs, folder, root };
    let chosen: Vec<_> = MEASUREMENTS
        .iter()
        .filter(|(name, _)| args.only.as_deref().is_none_or(|only| name.starts_with(only)))
        .collect();
    if chosen.is_empty() {
        let known = MEASUREMENTS.iter().map(|(name, _)| *name).collect();
        let name = args.only.clone().unwrap_or_default();
        return Err(Failure::UnknownMeasurement { name, known });
    }
    let mut figures = Vec::new();
    for (name, measure) in chosen {
        eprintln!("   measuring {name}");
        match measure(&bench) {
            Ok(more) => figures.extend(more),
            // Figures that were measured before the failure are still printed.
            Err(failure) => {
                eprint!("{}", figures::text(&figures));
                return Err(failure);
            }
        }
    }
    if args.json {
        println!("{}", figures::json(&figures));
    } else {
        print!("{}", figures::text(&figures));
    }
    if args.report {
        let path = root.join(REPORT);
        let write = |path: &PathBuf| {
            fs::create_dir_all(root.join("docs/reports"))?;
            fs::write(path, figures::markdown(&figures))
        };
        write(&path).map_err(|source| Failure::Write { path, source })?;
    }
    match broken(&figures) {
        names if names.is_empty() || args.no_fail => Ok(()),
        names => Err(Failure::BoundsBroken { names }),
    }
}
