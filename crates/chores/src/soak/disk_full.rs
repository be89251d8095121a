//! Writers fill a small file system. No record must be torn, the hook must still answer, and
//! writing must continue when there is space again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;

use crate::bench::calls::Place;
use crate::bench::sample;
use crate::failure::Failure;
use crate::soak::Soak;
use crate::soak::audit::audit;
use crate::soak::hooks::{counted, start};
use crate::soak::outcome::Outcome;
use crate::soak::progress::{self, Progress};
use crate::soak::writer::{self, WriterArgs};
use verger_xtask::process;

const WRITERS: usize = 8;
const SESSION: &str = "starved";
const DISK: &str = "size=1m,mode=0700";
const BALLAST_BYTES: usize = 128 * 1024;
const PATIENCE: Duration = Duration::from_mins(1);

/// Fills a small file system inside a mount namespace of its own
#[derive(Args)]
pub(crate) struct DiskFullArgs {
    /// Where to mount it
    folder: PathBuf,
    #[arg(long)]
    hook: PathBuf,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    times: u64,
}

pub(crate) fn disk_full(soak: &Soak) -> Result<Outcome, Failure> {
    let what = format!("{WRITERS} writers on a file system of 1 MiB in memory until it is full.");
    let mut outcome = Outcome::new("disk-full", what);
    if !process::succeeds(unshare().arg("true")) {
        outcome.fact("not run", "no mount namespace is to be had");
        return Ok(outcome);
    }
    let folder = tempfile::tempdir().map_err(Failure::Pipe)?;
    let mut inside = unshare();
    inside
        .arg(&soak.myself)
        .arg("soak-disk-full")
        .arg(folder.path())
        .arg("--hook")
        .arg(&soak.hook)
        .args(["--seed", &soak.seed.to_string(), "--times", &soak.extent.full_disks.to_string()]);
    let counted = process::output(&mut inside)?;
    let last = counted.lines().last().unwrap_or_default();
    let line = || Failure::NotMeasured { line: last.to_owned() };
    outcome.take_json(last).ok_or_else(line)?;
    Ok(outcome)
}

/// A command that runs in a new mount namespace. For a user other than root, it needs a user
/// namespace too.
fn unshare() -> Command {
    let mut command = Command::new("unshare");
    command.arg("--mount");
    if !rustix::process::geteuid().is_root() {
        command.arg("--map-root-user");
    }
    command
}

/// Runs inside of the namespace: fills the small file system and checks the log.
pub(crate) fn fill_disk(args: &DiskFullArgs) -> Result<(), Failure> {
    let mut outcome = Outcome::new("disk-full", "");
    let mut totals = Totals::default();
    for time in 0..args.times {
        process::run(
            Command::new("mount").args(["-t", "tmpfs", "-o", DISK, "tmpfs"]).arg(&args.folder),
        )?;
        totals.add(&fill_once(args, args.seed + time, &mut outcome)?);
        process::run(Command::new("umount").arg(&args.folder))?;
    }
    outcome.fact("full disks", args.times);
    outcome.fact("acknowledged", totals.acknowledged);
    outcome.fact("acknowledged and lost", totals.lost);
    outcome.fact("refused for want of room", totals.refused);
    outcome.fact("torn lines", totals.torn);
    println!("{}", outcome.to_json());
    Ok(())
}

#[derive(Default)]
struct Totals {
    acknowledged: usize,
    lost: usize,
    refused: usize,
    torn: usize,
}

impl Totals {
    fn add(&mut self, other: &Self) {
        self.acknowledged += other.acknowledged;
        self.lost += other.lost;
        self.refused += other.refused;
        self.torn += other.torn;
    }
}

fn fill_once(args: &DiskFullArgs, seed: u64, outcome: &mut Outcome) -> Result<Totals, Failure> {
    let mut place = Place::new(&args.folder)?;
    let ballast = args.folder.join("ballast");
    fs::write(&ballast, vec![0; BALLAST_BYTES])
        .map_err(|source| Failure::Write { path: ballast.clone(), source })?;
    // The payloads are written before the disk is full.
    let (full, roomy) = (place.payload(SESSION)?, place.payload(SESSION)?);
    let progress = write_until_full(&place, seed)?;
    let on_full_disk = call(args, &place, &full)?;
    outcome.expect(on_full_disk, || format!("seed {seed}: the hook failed or spoke"));
    let (_, _, torn) = counted(&place, SESSION)?;
    outcome.expect(torn == 0, || format!("seed {seed}: {torn} faults in the log"));
    outcome.expect(progress.refused == WRITERS, || {
        format!("seed {seed}: {} of {WRITERS} writers met the end of the disk", progress.refused)
    });
    fs::remove_file(&ballast).map_err(|source| Failure::Write { path: ballast, source })?;
    let key = sample::key(SESSION).ok_or(Failure::NoSuchAgent)?;
    let audit = audit(&place.data(), &key, &progress.acknowledged, 0)?;
    let (before, _, _) = counted(&place, SESSION)?;
    let with_room = call(args, &place, &roomy)?;
    let (after, _, _) = counted(&place, SESSION)?;
    outcome.expect(with_room && after == before + 1, || {
        format!("seed {seed}: {before} records, {after} after the next call")
    });
    outcome.expect(audit.lost == 0, || format!("seed {seed}: {} records lost", audit.lost));
    for fault in audit.faults {
        outcome.fault(format!("seed {seed}: {fault}"));
    }
    let Progress { acknowledged, refused, .. } = progress;
    Ok(Totals { acknowledged: acknowledged.len(), lost: audit.lost, refused, torn })
}

fn call(args: &DiskFullArgs, place: &Place, payload: &Path) -> Result<bool, Failure> {
    Ok(start(&args.hook, place, payload)?.finish()?.is_silent)
}

fn write_until_full(place: &Place, seed: u64) -> Result<Progress, Failure> {
    let myself = std::env::current_exe().map_err(Failure::Pipe)?;
    let key = sample::key(SESSION).ok_or(Failure::NoSuchAgent)?;
    let (mut progress, pipe) = Progress::new(WRITERS)?;
    let mut running = Vec::new();
    for writer in 0..WRITERS {
        let args =
            WriterArgs { writer, seed: seed + writer as u64, ..writer::plain(place.data(), &key) };
        let mut command = Command::new(&myself);
        command.args(writer::arguments(&args)).stdin(Stdio::null()).stderr(Stdio::null());
        running.push(progress::start(command, &pipe)?);
    }
    drop(pipe);
    progress.listen(Instant::now() + PATIENCE, |_| false)?;
    for mut child in running {
        child.kill().and_then(|()| child.wait()).map_err(Failure::Pipe)?;
    }
    Ok(progress)
}
