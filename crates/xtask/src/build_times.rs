//! `cargo xtask build-times`: measures the documented commands in a fresh clone.
//!
//! Each command runs in a fresh clone of the last commit, with the crates that cargo has already
//! downloaded. Wall time depends on the machine's other load, so CPU time is measured too. On two
//! cores, the wall time is at least half of the CPU time.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::failure::Failure;
use crate::process;
use crate::workspace::Root;

const REPORT: &str = "docs/reports/build.md";

/// Takes the times of the documented commands, each in a fresh clone
#[derive(Args)]
pub(crate) struct BuildTimesArgs {
    /// Leave one out: help, demo, dist or test; the report keeps its earlier time
    #[arg(long, value_name = "NAME")]
    skip: Vec<String>,
    /// Write docs/reports/build.md
    #[arg(long)]
    report: bool,
}

/// A documented command, and the time that it may take on two cores.
struct Documented {
    name: &'static str,
    arguments: &'static [&'static str],
    limit: Duration,
}

const DOCUMENTED: &[Documented] = &[
    Documented { name: "help", arguments: &["xtask", "--help"], limit: Duration::from_secs(30) },
    Documented {
        name: "demo",
        arguments: &["run", "--release", "--", "demo"],
        limit: Duration::from_secs(150),
    },
    Documented { name: "dist", arguments: &["xtask", "dist"], limit: Duration::from_mins(6) },
    Documented { name: "test", arguments: &["xtask", "test"], limit: Duration::from_mins(12) },
];

impl Documented {
    fn line(&self) -> String {
        format!("cargo {}", self.arguments.join(" "))
    }
}

/// The times that a command took.
#[derive(Clone, Copy)]
struct Taken {
    wall: Duration,
    /// The CPU time of the command and of all processes that it started.
    cpu: Duration,
    /// The CPU time of all other programs while the command ran.
    cpu_of_others: Duration,
}

pub(crate) fn build_times(root: &Root, args: &BuildTimesArgs) -> Result<(), Failure> {
    if let Some(name) = args.skip.iter().find(|name| named(name).is_none()) {
        let known = DOCUMENTED.iter().map(|documented| documented.name).collect();
        return Err(Failure::UnknownCheck { name: name.clone(), known });
    }
    let folder = root.target_directory()?.join("build-times");
    let mut rows = Vec::new();
    for documented in DOCUMENTED {
        let is_chosen = !args.skip.iter().any(|name| name == documented.name);
        let taken = if is_chosen { Some(measure(root, documented, &folder)?) } else { None };
        rows.push((documented, taken));
    }
    let path = root.join(REPORT);
    // Commands that are skipped keep their rows from the earlier report, if there is one.
    let report = report(&rows, &fs::read_to_string(&path).unwrap_or_default());
    print!("{report}");
    if args.report {
        fs::write(&path, report).map_err(|source| Failure::Write { path, source })?;
    }
    let slow = rows.iter().filter(|(documented, taken)| is_slow(documented, *taken));
    let slow: Vec<_> = slow.map(|(documented, _)| documented.name).collect();
    if slow.is_empty() { Ok(()) } else { Err(Failure::SlowBuilds { commands: slow }) }
}

fn named(name: &str) -> Option<&'static Documented> {
    DOCUMENTED.iter().find(|documented| documented.name == name)
}

fn is_slow(documented: &Documented, taken: Option<Taken>) -> bool {
    taken.is_some_and(|taken| taken.wall > documented.limit)
}

/// Runs a command in a fresh clone and measures it. The command's output goes to a file beside the
/// clone, which is then removed.
fn measure(root: &Root, documented: &Documented, folder: &Path) -> Result<Taken, Failure> {
    let clone = fresh_clone(root, &folder.join(documented.name))?;
    process::run(cargo(&clone).args(["fetch", "--locked"]))?;
    let log = folder.join(documented.name).with_extension("log");
    let unwritable = |source| Failure::Write { path: log.clone(), source };
    let output = File::create(&log).map_err(unwritable)?;
    let errors = output.try_clone().map_err(unwritable)?;
    let line = documented.line();
    eprintln!("   $ {line} > {}", log.display());
    let (start, before) = (Instant::now(), CpuTimes::now()?);
    let status = cargo(&clone)
        .args(documented.arguments)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .status()
        .map_err(|source| Failure::Start { command: line.clone(), source })?;
    let (wall, after) = (start.elapsed(), CpuTimes::now()?);
    if !status.success() {
        return Err(Failure::Exited { command: format!("{line} > {}", log.display()), status });
    }
    remove(&clone)?;
    let cpu = after.children.saturating_sub(before.children);
    let machine = after.machine.saturating_sub(before.machine);
    let taken = Taken { wall, cpu, cpu_of_others: machine.saturating_sub(cpu) };
    eprintln!("   {} of {}", seconds(taken.wall), seconds(documented.limit));
    Ok(taken)
}

fn fresh_clone(root: &Root, clone: &Path) -> Result<PathBuf, Failure> {
    remove(clone)?;
    let (from, to) = (root.path().to_string_lossy(), clone.to_string_lossy());
    process::run(root.command("git").args(["clone", "--quiet", &from, &to]))?;
    Ok(clone.to_owned())
}

fn remove(clone: &Path) -> Result<(), Failure> {
    if !clone.exists() {
        return Ok(());
    }
    fs::remove_dir_all(clone).map_err(|source| Failure::Write { path: clone.to_owned(), source })
}

/// A cargo command without the developer's settings, as a newcomer would start it in a checkout.
fn cargo(checkout: &Path) -> Command {
    let mut command = Root::at(checkout).cargo([]);
    command.env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
    command
}

/// The CPU times up to now, as the kernel counts them.
struct CpuTimes {
    /// The CPU time of the processes that this process started and waited for.
    children: Duration,
    /// The CPU time of all programs on the machine.
    machine: Duration,
}

impl CpuTimes {
    fn now() -> Result<Self, Failure> {
        let read = |path: &str| {
            fs::read_to_string(path).map_err(|source| Failure::Read { path: path.into(), source })
        };
        Ok(Self {
            children: children_time(&read("/proc/self/stat")?),
            machine: machine_time(&read("/proc/stat")?),
        })
    }
}

/// Converts a time in the kernel's unit, which is a hundredth of a second.
fn ticks(count: u64) -> Duration {
    Duration::from_millis(count * 10)
}

/// The CPU time of child processes in the text of `/proc/self/stat`. It is the sum of the fields
/// `cutime` and `cstime`, which are the 14th and 15th after the name in parentheses.
fn children_time(stat: &str) -> Duration {
    let (_, behind_name) = stat.rsplit_once(')').unwrap_or_default();
    let fields = behind_name.split_whitespace().skip(13).take(2);
    ticks(fields.filter_map(|field| field.parse::<u64>().ok()).sum())
}

/// The busy time of the machine in the text of `/proc/stat`. The fields of its line `cpu` are user,
/// nice and system time, then idle time and waiting, then interrupts.
fn machine_time(stat: &str) -> Duration {
    let line = stat.lines().next().unwrap_or_default();
    let times: Vec<u64> = line.split_whitespace().filter_map(|field| field.parse().ok()).collect();
    let is_busy = |index: &usize| !matches!(index, 3 | 4 | 7..);
    ticks((0..times.len()).filter(is_busy).map(|index| times[index]).sum())
}

/// The text of the report. A command that was not measured keeps its row from the earlier report.
fn report(rows: &[(&Documented, Option<Taken>)], earlier: &str) -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!(
        "# How long builds take\n\n\
         Written by `cargo xtask build-times --report` on {cores} cores. Each command runs in a fresh clone; the crates that\n\
         it needs are downloaded before. CPU time divided by the number of cores is the least that a command can take. The\n\
         last column is CPU time that other programs took meanwhile: on a quiet machine it is close to 0.\n\n\
         | command | wall | limit | holds | CPU | CPU of other programs |\n|---|---|---|---|---|---|\n"
    );
    for (documented, taken) in rows {
        // Writing to a String cannot fail.
        writeln!(text, "{}", row(documented, *taken, earlier)).unwrap_or_default();
    }
    text
}

fn row(documented: &Documented, taken: Option<Taken>, earlier: &str) -> String {
    let (line, limit) = (documented.line(), seconds(documented.limit));
    let begin = format!("| `{line}` |");
    let Some(Taken { wall, cpu, cpu_of_others }) = taken else {
        let earlier = earlier.lines().find(|row| row.starts_with(&begin)).map(str::to_owned);
        return earlier.unwrap_or_else(|| format!("{begin} not measured | {limit} | | | |"));
    };
    let holds = if is_slow(documented, taken) { "TOO SLOW" } else { "ok" };
    let [wall, cpu, cpu_of_others] = [wall, cpu, cpu_of_others].map(seconds);
    format!("{begin} {wall} | {limit} | {holds} | {cpu} | {cpu_of_others} |")
}

fn seconds(duration: Duration) -> String {
    format!("{:.0} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_times_are_read_from_the_kernels_files() {
        let own = "7 (a b) c) S 1 7 7 0 -1 4194304 9 8 0 0 11 12 250 50 20 0 1 0 5 6 7";
        assert_eq!(children_time(own), Duration::from_secs(3));
        let machine = "cpu  100 200 300 9999 8888 10 20 7777 0 0\ncpu0 1 2 3\n";
        assert_eq!(machine_time(machine), Duration::from_millis(6_300));
    }

    #[test]
    fn the_report_says_what_is_too_slow_and_keeps_what_was_not_measured_again() {
        let taken = |wall| {
            let (wall, cpu) = (Duration::from_secs(wall), Duration::from_secs(50));
            Some(Taken { wall, cpu, cpu_of_others: Duration::from_secs(1) })
        };
        let [help, demo, dist, test] = DOCUMENTED else { panic!("{}", DOCUMENTED.len()) };
        let earlier = "| `cargo xtask --help` | 9 s |\n| `cargo xtask test` | 8 s |\n";
        let rows = [(help, taken(30)), (demo, taken(151)), (dist, None), (test, None)];
        let report = report(&rows, earlier);
        let rows: Vec<_> = report.lines().filter(|line| line.starts_with("| `")).collect();
        assert_eq!(
            rows,
            [
                "| `cargo xtask --help` | 30 s | 30 s | ok | 50 s | 1 s |",
                "| `cargo run --release -- demo` | 151 s | 150 s | TOO SLOW | 50 s | 1 s |",
                "| `cargo xtask dist` | not measured | 360 s | | | |",
                "| `cargo xtask test` | 8 s |",
            ]
        );
    }
}
