//! Runs recorded sessions through the hook program, and reports the counts of every check and the
//! costs.

mod claims;
mod costs;
mod drift;
mod failures;
mod guard;
mod labels;
mod log_tail;
mod offers;
mod percentile;
mod place;
mod progress;
mod replay_error;
mod report;
mod run;
mod session_file;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

pub(crate) use replay_error::ReplayError;
use verger_xtask::{Root, process};

use crate::failure::Failure;
use crate::replay::labels::Labels;
use crate::replay::place::Programs;
use crate::replay::progress::Progress;
use crate::replay::report::Report;
use crate::replay::run::{Counts, Plan};
use crate::replay::session_file::SessionFile;

/// The description of the format of session files, as `--help` shows it.
const FORMAT: &str = "\
A session file is DIR/NAME.jsonl.gz: JSON lines, compressed with gzip. Each session is one line
  {\"meta\": {\"repo\": \"owner/name\", \"session\": \"ID\", \"started\": \"2026-07-16T18:14:13Z\"}}
followed by its events in the order in which the client sent them:
  {\"event\": \"PreToolUse\", \"payload\": {\"session_id\": \"ID\", \"cwd\": \"@P@\", ...}}
The payload is the JSON that Claude Code gives to a hook. `@P@` stands for the project's directory and `@H@` for the
home; both are replaced by throw-away directories. One file is one project: its sessions run one after the other, by
`started`, with one home.

Labels are optional, one JSON object per line: DIR/episodes.jsonl {session, reasons, label}, DIR/constraints.jsonl
{session, prompt, constraints, label}, DIR/claims.jsonl {msg, label: true|false}, and the files of --labels
{\"digest\": first 16 hex digits of the message's SHA-256, \"claim\": true|false, \"language\": \"en|ja|other\",
\"half\": optional, counted apart}.

The checks only observe, and no tool runs. Claims are measured in a second home: the person's prompt, one changed file, then the
message as the agent's last; a refused stop is a detected claim.";

/// Runs recorded sessions through the hook program, and counts the results of every check
#[derive(clap::Args)]
#[command(after_long_help = FORMAT)]
pub(crate) struct ReplayArgs {
    /// The directory of the session files; `--help` shows their format.
    dir: PathBuf,
    /// Take `verger-hook` and `verger` from this directory instead of building them.
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// Only files whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// At most this many sessions of each file.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Write everything that was counted to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// A further file of labelled messages, by digest.
    #[arg(long, value_name = "FILE")]
    labels: Vec<PathBuf>,
    /// Trust the project first, as `verger trust` does.
    #[arg(long)]
    trusted: bool,
    /// How many files run at once; the number of cores otherwise.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Where the throw-away directories are made; the system's temporary directory otherwise.
    #[arg(long = "in", value_name = "DIR")]
    inside: Option<PathBuf>,
}

pub(crate) fn replay(root: &Root, args: &ReplayArgs) -> Result<(), Failure> {
    let programs = match &args.programs {
        Some(folder) => Programs::in_folder(folder)?,
        None => build(root)?,
    };
    let labels = Labels::read(&args.dir, &args.labels)?;
    let plan = Plan {
        programs,
        is_trusted: args.trusted,
        parent: args.inside.clone().unwrap_or_else(std::env::temp_dir),
    };
    let counts = run_all(&plan, args)?;
    let report = Report { counts: &counts, labels: &labels, is_trusted: args.trusted };
    println!("{}", report.text());
    if let Some(path) = &args.json {
        let written = fs::write(path, report.json().to_string());
        written.map_err(|source| ReplayError::Write { path: path.clone(), source })?;
    }
    Ok(())
}

fn build(root: &Root) -> Result<Programs, Failure> {
    // The programs are built like those that users install, so that the times are the same.
    let profile = ["build", "--profile", "dist-verger", "--locked"];
    let packages = ["--package", "verger-hook", "--package", "verger-cli"];
    process::run(&mut root.cargo(profile.into_iter().chain(packages)))?;
    Ok(Programs::in_folder(&root.target_directory()?.join("dist-verger"))?)
}

/// Replays the session files, several at the same time, the largest first.
fn run_all(plan: &Plan, args: &ReplayArgs) -> Result<Counts, ReplayError> {
    let mut files = SessionFile::all_in(&args.dir, args.only.as_deref(), args.limit)?;
    files.sort_by_key(|file| file.events);
    let progress = Progress::new(&files);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.unwrap_or(cores).clamp(1, files.len().max(1));
    let waiting = Mutex::new(files);
    let done = thread::scope(|scope| {
        let work = || -> Result<Counts, ReplayError> {
            let mut counts = Counts::default();
            while let Some(file) = next(&waiting) {
                counts.add(run::run_file(plan, &file, &progress)?);
            }
            Ok(counts)
        };
        let running: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let joined =
            running.into_iter().map(|job| job.join().unwrap_or(Err(ReplayError::Panicked)));
        joined.collect::<Vec<_>>()
    });
    progress.end();
    let mut counts = Counts::default();
    for one in done {
        counts.add(one?);
    }
    counts.sort();
    Ok(counts)
}

fn next(waiting: &Mutex<Vec<SessionFile>>) -> Option<SessionFile> {
    waiting.lock().ok()?.pop()
}

/// Reads a text file as a whole.
fn read_text(path: &Path) -> Result<String, ReplayError> {
    fs::read_to_string(path).map_err(|source| ReplayError::Read { path: path.to_owned(), source })
}
