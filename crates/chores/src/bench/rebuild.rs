//! The cost of rebuilding all derived data from the log, compared with parsing and hashing the same
//! bytes.
//!
//! Rebuilding and parsing each run in their own process, so that the memory of one doesn't affect
//! the other.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::Value;
use sha2::{Digest, Sha256};
use verger_engine::State;
use verger_store::Options;
use verger_store_local::LocalStore;

use crate::bench::Bench;
use crate::bench::calls::{Place, Plan};
use crate::bench::figures::{Bound, Figure, as_f64, median};
use crate::bench::sample;
use crate::failure::Failure;

const RECORDS_PER_SESSION: usize = 5_000;
const ROUNDS: usize = 3;
/// The disk space that one record needs, with its derived data. No record of the sample needs more.
const BYTES_PER_RECORD: u64 = 2_000;

/// The work of a measured process
#[derive(Args)]
pub(crate) struct WorkArgs {
    work: Work,
    /// The log
    folder: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Work {
    Rebuild,
    Parse,
}

pub(crate) fn rebuild(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let place = Place::new(&bench.folder)?;
    let events = bench.args.events;
    expect_room(place.path(), events as u64 * BYTES_PER_RECORD)?;
    seed(&place, events)?;
    let myself = std::env::current_exe()
        .map_err(|source| Failure::Start { command: "verger-chores".to_owned(), source })?;
    let data = place.data();
    let run = |work: &str| -> Result<_, Failure> {
        let mut plan = Plan::default();
        let arguments = ["bench-work", work, &data.to_string_lossy()];
        plan.call(work, &place.home(), Path::new("/dev/null"), &myself, &arguments);
        plan.go();
        let outcome = plan.run(&bench.programs.launcher, place.path())?;
        let times = outcome.times(work);
        Ok((median(&times.cpu_ms), median(&times.wall_ms), outcome.peak_mib))
    };
    let (mut cpu, mut wall, mut peak_mib) = ([vec![], vec![]], [vec![], vec![]], 0.0_f64);
    for _ in 0..ROUNDS {
        for (lane, work) in ["rebuild", "parse"].into_iter().enumerate() {
            let (cpu_ms, wall_ms, peak) = run(work)?;
            cpu[lane].push(cpu_ms);
            wall[lane].push(wall_ms);
            if work == "rebuild" {
                peak_mib = peak_mib.max(peak);
            }
        }
    }
    let figure = |name, [ours, bare]: [&[f64]; 2]| {
        let rate = |ms: &[f64]| as_f64(events) / median(ms);
        Figure {
            name,
            value: rate(ours) / rate(bare),
            unit: "x",
            bound: Bound::AtLeast(0.4),
            detail: format!(
                "{:.0} and {:.0} thousand events a second, {events} events, {ROUNDS} rounds",
                rate(ours),
                rate(bare)
            ),
        }
    };
    Ok(vec![
        figure("rebuild rate by cpu time", [&cpu[0], &cpu[1]]),
        figure("rebuild rate by wall time", [&wall[0], &wall[1]]),
        Figure {
            name: "rebuild memory",
            value: peak_mib,
            unit: "MiB",
            bound: Bound::AtMost(64.0),
            detail: format!("peak over {events} events"),
        },
    ])
}

fn expect_room(place: &Path, bytes: u64) -> Result<(), Failure> {
    let unreadable =
        |error: rustix::io::Errno| Failure::Read { path: place.to_owned(), source: error.into() };
    let disk = rustix::fs::statvfs(place).map_err(unreadable)?;
    let free = disk.f_bavail * disk.f_frsize;
    if free > bytes { Ok(()) } else { Err(Failure::NoRoom { free, needed: bytes }) }
}

fn seed(place: &Place, events: usize) -> Result<(), Failure> {
    let store = LocalStore::open(&place.data(), Options::default())?;
    let sessions = events.div_ceil(RECORDS_PER_SESSION);
    for session in 0..sessions {
        let key = sample::key(&format!("rebuilt-{session}")).ok_or(Failure::NoSuchAgent)?;
        let first = session * RECORDS_PER_SESSION;
        sample::fill(&store, &key, first..(first + RECORDS_PER_SESSION).min(events))?;
    }
    Ok(())
}

/// Does the work of one measured process: rebuilding, or only parsing and hashing.
pub(crate) fn work(args: &WorkArgs) -> Result<(), Failure> {
    match args.work {
        Work::Rebuild => {
            let store = LocalStore::open(&args.folder, Options::default())?;
            let rebuilt = store.rebuild::<State>(&mut |_| ())?;
            println!("{} records", rebuilt.records);
        }
        Work::Parse => println!("{} lines", parse_and_hash(&args.folder.join("log"))?),
    }
    Ok(())
}

/// Reads a chained log with the minimum of work: parses and hashes its lines.
fn parse_and_hash(folder: &Path) -> Result<usize, Failure> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |source| Failure::Read { path, source }
    };
    let mut lines = 0;
    let mut line = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        if path.is_dir() {
            lines += parse_and_hash(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            let mut reader = BufReader::new(File::open(&path).map_err(unreadable(&path))?);
            while reader.read_until(b'\n', &mut line).map_err(unreadable(&path))? > 0 {
                let value: Result<Value, _> = serde_json::from_slice(&line);
                let hash = Sha256::digest(&line);
                lines += usize::from(std::hint::black_box((value, hash)).0.is_ok());
                line.clear();
            }
        }
    }
    Ok(lines)
}
