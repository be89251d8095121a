//! Measures commands and hook calls with a long history, compared with the same calls with a short
//! history.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use verger_worktree::{Git, project_facts};
use verger_xtask::dist;

use crate::bench::Bench;
use crate::bench::calls::Place;
use crate::bench::figures::{Bound, Figure, median};
use crate::bench::many_sessions::ManySessions;
use crate::failure::Failure;

const SHORT: usize = 100;
const MIDDLE: usize = 10_000;
const WARM_UP: usize = 3;
const ROUNDS: usize = 21;

/// The bound for commands. People notice when a command gets slower over the years, so with a long
/// history it may take at most 1.5 times as long.
const GROWTH: f64 = 1.5;
/// The bound for hooks. An agent waits for the hook, so the history must hardly matter.
const HOOK_GROWTH: f64 = 1.2;
const DOCTOR_MS: f64 = 1000.0;

const COMMANDS: &[(&str, &[&str])] = &[
    ("status", &["status"]),
    ("session list", &["session", "list"]),
    ("why --last", &["why", "--last"]),
    ("undo list", &["undo", "list"]),
    ("tasks", &["tasks"]),
    ("doctor", &["doctor"]),
];
const HOOKS: &[&str] = &["SessionStart", "Stop"];

pub(crate) fn history(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let verger = verger(bench)?;
    let mut sizes = vec![SHORT, MIDDLE, bench.args.sessions];
    sizes.dedup();
    let mut stores = Vec::new();
    for size in sizes {
        stores.push(Store::make(bench, &verger, size)?);
    }
    let mut figures = Vec::new();
    for (name, arguments) in COMMANDS {
        let mut call = |store: &mut Store| store.command(&verger, arguments);
        // `doctor` checks many things, so its bound is an absolute time.
        let growth = (*name != "doctor").then_some(GROWTH);
        figures.extend(compare(name, growth, &mut stores, &mut call)?);
    }
    for event in HOOKS {
        let mut call = |store: &mut Store| store.hook(&bench.programs.hook, event);
        figures.extend(compare(event, Some(HOOK_GROWTH), &mut stores, &mut call)?);
    }
    Ok(figures)
}

fn verger(bench: &Bench<'_>) -> Result<PathBuf, Failure> {
    if let Some(programs) = &bench.args.programs {
        return Ok(programs.join("verger"));
    }
    dist::build(bench.root, &dist::VERGER, &bench.root.host_target()?, &bench.folder)?;
    Ok(bench.folder.join("verger"))
}

/// Measures one call. The figures are the ratios of its time with each longer history to its time
/// with the short history.
fn compare(
    name: &str,
    growth: Option<f64>,
    stores: &mut [Store],
    call: &mut dyn FnMut(&mut Store) -> Result<f64, Failure>,
) -> Result<Vec<Figure>, Failure> {
    let mut times = vec![Vec::new(); stores.len()];
    for round in 0..WARM_UP + ROUNDS {
        for (store, times) in stores.iter_mut().zip(&mut times) {
            let taken = call(store)?;
            if round >= WARM_UP {
                times.push(taken);
            }
        }
    }
    let medians: Vec<_> = times.iter().map(|times| median(times)).collect();
    let short = medians.first().copied().unwrap_or(f64::NAN);
    let mut figures = Vec::new();
    for (store, taken) in stores.iter().zip(&medians).skip(1) {
        figures.push(Figure {
            name: leaked(format!("history/{name} {}", store.sessions)),
            value: taken / short,
            unit: "x",
            bound: growth.map_or(Bound::None, Bound::AtMost),
            detail: format!(
                "{taken:.1} ms with {} sessions, {short:.1} ms with {SHORT}",
                store.sessions
            ),
        });
    }
    if name == "doctor" {
        figures.push(Figure {
            name: "history/doctor time",
            value: medians.iter().copied().fold(0.0, f64::max),
            unit: "ms",
            bound: Bound::AtMost(DOCTOR_MS),
            detail: "the slowest of all sizes".to_owned(),
        });
    }
    Ok(figures)
}

/// Leaks the name, because figures need names with a static lifetime.
fn leaked(name: String) -> &'static str {
    Box::leak(name.into_boxed_str())
}

/// A home with a history of this length, and the repository in which its sessions worked.
struct Store {
    place: Place,
    project: PathBuf,
    sessions: usize,
    calls: usize,
}

impl Store {
    fn make(bench: &Bench<'_>, verger: &Path, sessions: usize) -> Result<Self, Failure> {
        let place = Place::new(&bench.folder)?;
        let project = place.path().join("project");
        commit_something(&project)?;
        let git = Git::new("git", std::env::vars_os(), Duration::from_secs(5));
        let many = ManySessions { project: project_facts(&project, &git).id, cwd: &project };
        let began = Instant::now();
        many.write(&place.data(), sessions)?;
        let store = Self { place, project, sessions, calls: 0 };
        let written = began.elapsed();
        let first = store.command(verger, &["session", "list"])?;
        eprintln!("   {sessions} sessions written in {written:.1?}, indexed in {first:.0} ms");
        Ok(store)
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Result<f64, Failure> {
        self.timed(Command::new(program).args(arguments).stdin(Stdio::null()))
    }

    /// Calls the hook with an event of a new session.
    fn hook(&mut self, program: &Path, event: &str) -> Result<f64, Failure> {
        self.calls += 1;
        let number = self.calls;
        let session = format!("5e551000-0000-4000-8000-{number:012}");
        let payload = match event {
            "SessionStart" => json!({ "hook_event_name": event, "source": "startup" }),
            _ => json!({ "hook_event_name": event, "stop_hook_active": false }),
        };
        let path = self.place.event(&session, &payload)?;
        let payload = File::open(&path).map_err(|source| Failure::Read { path, source })?;
        self.timed(Command::new(program).args(["claude", event]).stdin(payload))
    }

    fn timed(&self, command: &mut Command) -> Result<f64, Failure> {
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.place.home())
            .env("VERGER_HOME", self.place.home())
            .current_dir(&self.project)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let name = command.get_program().to_string_lossy().into_owned();
        let began = Instant::now();
        let status = command.status();
        let taken = began.elapsed();
        let status = status.map_err(|source| Failure::Start { command: name.clone(), source })?;
        // `doctor` exits with 1 if it finds a problem, which is fine here.
        match status.code() {
            Some(0 | 1) => Ok(taken.as_secs_f64() * 1000.0),
            _ => Err(Failure::Exited { command: name, status }),
        }
    }
}

fn commit_something(project: &Path) -> Result<(), Failure> {
    let unwritten = |path: PathBuf| |source| Failure::Write { path, source };
    fs::remove_dir_all(project.join(".git")).map_err(unwritten(project.join(".git")))?;
    let file = project.join("src/main.rs");
    fs::write(&file, "fn main() {}\n").map_err(unwritten(file.clone()))?;
    let identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"];
    for arguments in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "Begin"]] {
        let mut git = Command::new("git");
        let git = git.args(identity).args(arguments).current_dir(project);
        let status = git.status();
        let status =
            status.map_err(|source| Failure::Start { command: "git".to_owned(), source })?;
        if !status.success() {
            return Err(Failure::Exited { command: "git".to_owned(), status });
        }
    }
    Ok(())
}
