//! Measures the cost of the review gate: matching patterns on every tool call, and computing the
//! work's content at a stop.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::bench::Bench;
use crate::bench::calls::{Place, Plan};
use crate::bench::figures::Figure;
use crate::bench::hook::{CALL, SHORT, WARM_UP, compared, seeded};
use crate::failure::Failure;
use verger_xtask::process;

/// The number of patterns in the configuration, as of a user with several ticket systems. Some
/// patterns name the programs of the measured call, so that its command line must be parsed.
const PATTERNS: usize = 20;
const PROGRAMS: &[&str] =
    &["gh issue close", "bd close", "check push", "tidy publish", "npm run x"];

const FILES: usize = 10_000;
const CHANGED: usize = 200;
const STOP_ROUNDS: usize = 40;

pub(crate) fn gate_patterns(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let patterns: Vec<_> =
        (0..PATTERNS).map(|n| format!("\"Bash:{}{n}*\"", PROGRAMS[n % PROGRAMS.len()])).collect();
    let config = format!("[review]\ngated_tools = [{}]\n", patterns.join(", "));
    let mut places = [
        ("patterns", Place::with_config(&bench.folder, &config)?),
        ("none", Place::new(&bench.folder)?),
    ];
    let sessions = [seeded(&places[0].1, 1, SHORT)?, seeded(&places[1].1, 1, SHORT)?];
    let mut plan = Plan::default();
    for round in 0..bench.args.rounds + WARM_UP {
        for turn in 0..places.len() {
            let which = (round + turn) % places.len();
            let (name, place) = &mut places[which];
            let lane = if round >= WARM_UP { *name } else { "warm-up" };
            let payload = place.payload(&sessions[which])?;
            plan.call(lane, &place.home(), &payload, &bench.programs.hook, &CALL);
            plan.go();
        }
    }
    let outcome = plan.run(&bench.programs.launcher, places[0].1.path())?;
    Ok(compared(
        ["hook/gate-patterns cpu", "hook/gate-patterns wall"],
        1.3,
        [("20 patterns", &outcome.times("patterns")), ("none", &outcome.times("none"))],
    ))
}

pub(crate) fn pending_stop(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let mut place = Place::with_config(&bench.folder, "[gates]\ncooldown_seconds = 0\n")?;
    let project = place.path().join("project");
    repository(&project)?;
    let session = "5e0b9f3a-1111-4c1e-9d5e-000000000001";
    let hook = &bench.programs.hook;
    let prompt = json!({ "hook_event_name": "UserPromptSubmit", "prompt": "#review the parser" });
    let mut before = Plan::default();
    let prompted = place.event(session, &prompt)?;
    before.call("prompt", &place.home(), &prompted, hook, &["claude", "UserPromptSubmit"]);
    before.go();
    let payload = place.payload(session)?;
    before.call("first tool", &place.home(), &payload, hook, &CALL);
    before.go();
    before.run(&bench.programs.launcher, place.path())?;
    change(&project)?;
    let git = git_program()?;
    let mut plan = Plan::default();
    for round in 0..STOP_ROUNDS + WARM_UP {
        let is_warm = round >= WARM_UP;
        // A prompt from time to time, because at most seven stops in a row are refused.
        if round % 5 == 0 {
            let id = json!({ "prompt_id": format!("prompt-{round}") });
            let mut prompt = prompt.clone();
            if let (Some(prompt), Some(id)) = (prompt.as_object_mut(), id.as_object()) {
                prompt.extend(id.clone());
            }
            let prompted = place.event(session, &prompt)?;
            plan.call("prompt", &place.home(), &prompted, hook, &["claude", "UserPromptSubmit"]);
            plan.go();
        }
        let stop = json!({ "hook_event_name": "Stop", "stop_hook_active": false });
        let stop = place.event(session, &stop)?;
        let (home, directory) = (place.home(), project.display().to_string());
        let status = ["-C", &directory, "status", "--porcelain"];
        let mut calls =
            [("hook", hook, &["claude", "Stop", "plugin"][..]), ("git", &git, &status[..])];
        if round % 2 == 1 {
            calls.reverse();
        }
        for (lane, program, arguments) in calls {
            let lane = if is_warm { lane } else { "warm-up" };
            plan.call(lane, &home, &stop, program, arguments);
            plan.go();
        }
    }
    let outcome = plan.run(&bench.programs.launcher, place.path())?;
    Ok(compared(
        ["hook/pending-stop cpu", "hook/pending-stop wall"],
        2.5,
        [
            ("stop, 200 of 10,000 files changed", &outcome.times("hook")),
            ("git status", &outcome.times("git")),
        ],
    ))
}

fn repository(project: &Path) -> Result<(), Failure> {
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |source| Failure::Write { path, source }
    };
    fs::remove_dir_all(project.join(".git")).map_err(unwritable(project))?;
    for n in 0..FILES {
        let folder = project.join(format!("src/module{:03}", n % 100));
        fs::create_dir_all(&folder).map_err(unwritable(&folder))?;
        let path = folder.join(format!("file{n:05}.rs"));
        let mut text = String::new();
        for line in 0..20 {
            // Writing to a String cannot fail.
            writeln!(text, "pub fn function_{n}_{line}() -> usize {{ {n} + {line} }}")
                .unwrap_or_default();
        }
        fs::write(&path, text).map_err(unwritable(&path))?;
    }
    let git = git_program()?;
    for arguments in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "-m", "all"],
    ] {
        process::run(std::process::Command::new(&git).current_dir(project).args(arguments))?;
    }
    Ok(())
}

fn change(project: &Path) -> Result<(), Failure> {
    for n in 0..CHANGED {
        let path = project.join(format!("src/module{:03}/file{n:05}.rs", n % 100));
        fs::write(&path, format!("pub fn changed_{n}() {{}}\n"))
            .map_err(|source| Failure::Write { path, source })?;
    }
    Ok(())
}

fn git_program() -> Result<PathBuf, Failure> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths)
        .map(|folder| folder.join("git"))
        .find(|path| path.is_file())
        .ok_or_else(|| Failure::NotMeasured { line: "git is not in PATH".to_owned() })
}
