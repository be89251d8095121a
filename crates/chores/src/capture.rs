//! `cargo xtask capture`: records the payloads of a real client and saves them as fixtures.

mod fixture;
mod index;
mod neutral;
mod shape;

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use verger_agent::CLAUDE;
use verger_testkit::{
    ClaudeCode, HookCall, Playing, RecordingHook, Scenario, TestEnvironment, Version, hook_settings,
};

use crate::failure::Failure;
use fixture::{Fixture, Known, Novelty};
use neutral::Neutral;
use verger_xtask::Root;

/// The directory with the fixtures of Claude Code. It has a folder for each version.
const COMMITTED: &str = "crates/agent/fixtures/claude";

/// Records payloads of a real client as fixtures
#[derive(Args)]
pub(crate) struct CaptureArgs {
    /// The version of the client
    #[arg(long, value_name = "VERSION")]
    client_version: String,

    /// Its program, if it is not a version that `cargo xtask test` installs
    #[arg(long, value_name = "PATH")]
    client: Option<PathBuf>,

    /// The folder for the fixtures and their index
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// A note for readers of the index
    #[arg(long, value_name = "TEXT", default_value = "")]
    notes: String,

    /// The scenarios that the client plays; by default all that it can
    #[arg(value_name = "SCENARIO")]
    scenarios: Vec<Scenario>,
}

pub(crate) fn capture(root: &Root, args: &CaptureArgs) -> Result<(), Failure> {
    let client = find_client(args)?;
    let known = Known::read(&root.join(COMMITTED), &args.out)?;
    let mut fixtures: Vec<Fixture> = Vec::new();
    for scenario in scenarios(args) {
        println!("{}", scenario.name());
        let mut neutral = Neutral::default();
        for (environment, call) in play(&client, scenario)? {
            check_version(args, &call)?;
            let text = neutral.text(&call.text, &environment);
            let fixture = Fixture::new(&call.event, &text, scenario.name());
            if let Some(fixture) = fixture::unlike_all(&fixtures, fixture) {
                println!("  {}", describe(&fixture, &known));
                fixtures.push(fixture);
            }
        }
    }
    write(&args.out, &fixtures)?;
    index::update(&args.out, &fixtures, &args.client_version, &args.notes)?;
    println!("{} in {}", count(&fixtures), args.out.display());
    Ok(())
}

fn find_client(args: &CaptureArgs) -> Result<ClaudeCode, Failure> {
    if let Some(program) = &args.client {
        return Ok(ClaudeCode::at(program, &args.client_version));
    }
    let version = args.client_version.parse::<Version>().ok();
    version
        .and_then(ClaudeCode::find)
        .ok_or_else(|| Failure::NoClient { version: args.client_version.clone() })
}

fn scenarios(args: &CaptureArgs) -> Vec<Scenario> {
    if !args.scenarios.is_empty() {
        return args.scenarios.clone();
    }
    let all = Scenario::ALL.into_iter();
    all.filter(|scenario| scenario.fits(&args.client_version)).collect()
}

/// Plays a scenario with the client. Returns every call of the hook, each with the root directory
/// of its environment.
fn play(client: &ClaudeCode, scenario: Scenario) -> Result<Vec<(PathBuf, HookCall)>, Failure> {
    let environment = TestEnvironment::with_repository();
    let mut hook = RecordingHook::new(&environment);
    for (event, answer) in scenario.answers() {
        hook.answer(event, &answer);
    }
    let events: Vec<_> = CLAUDE.events.iter().map(|event| event.name).collect();
    let waiting = hook.clone();
    let playing = Playing {
        client,
        environment: &environment,
        settings: &hook_settings(&hook.command(), &events),
        wait_for: Arc::new(move |event| waiting.wait_for(event)),
    };
    // A scenario panics, like a test, if it does not go as scripted.
    panic::catch_unwind(AssertUnwindSafe(|| scenario.play(&playing)))
        .map_err(|_| Failure::ScenarioFailed { name: scenario.name() })?;
    let place = environment.root().to_owned();
    Ok(hook.calls().into_iter().map(|call| (place.clone(), call)).collect())
}

/// Fails if the client has another version than the arguments say. Otherwise the fixtures would be
/// stored under a wrong version.
fn check_version(args: &CaptureArgs, call: &HookCall) -> Result<(), Failure> {
    match (CLAUDE.version)(&|name| call.environment.get(name).cloned()) {
        Some(told) if told != args.client_version => {
            Err(Failure::OtherVersion { given: args.client_version.clone(), told })
        }
        _ => Ok(()),
    }
}

fn describe(fixture: &Fixture, known: &Known) -> String {
    let meaning = match (CLAUDE.decode)(&fixture.event, fixture.text.as_bytes()) {
        Ok(Some(_)) => String::new(),
        Ok(None) => " (not decoded: the event is not known)".to_owned(),
        Err(error) => format!(" (not decoded: cannot {error})"),
    };
    let novelty = match known.compare(fixture) {
        Novelty::New => "new".to_owned(),
        Novelty::SameAs(version) => format!("as in {version}"),
        Novelty::Differs { version, difference } => {
            format!("differs from {version}: {}", difference.join(", "))
        }
    };
    format!("{}: {novelty}{meaning}", fixture.name)
}

fn write(folder: &Path, fixtures: &[Fixture]) -> Result<(), Failure> {
    let failed = |path: &Path, source| Failure::Write { path: path.to_owned(), source };
    fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
    for fixture in fixtures {
        let path = folder.join(format!("{}.json", fixture.name));
        fs::write(&path, &fixture.text).map_err(|source| failed(&path, source))?;
    }
    Ok(())
}

fn count(fixtures: &[Fixture]) -> String {
    match fixtures.len() {
        1 => "1 fixture".to_owned(),
        number => format!("{number} fixtures"),
    }
}
