//! The hook program: reads one event from standard input and writes one answer to standard
//! output.
//!
//! `verger-hook AGENT EVENT [plugin]` reads one JSON value, decodes it in the agent's format,
//! opens the session in the log, records the event and answers. No output means "no opinion".
//! Every failure goes through one function, [`failure::on_failure`], so that an error in verger
//! never blocks the agent.
//!
//! The program doesn't wait for a network, a model or a daemon.

mod call;
#[cfg(test)]
mod documented_limits;
mod failure;
mod input;
mod invocation;
mod json_end;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use verger_engine::{
    Clock, Environment, LEFT_SESSIONS_WORD, UPKEEP_WORD, caught, look_in_background,
    remember_panic, run_in_background,
};
use verger_store_local::LocalStore;

use crate::invocation::Invocation;

const USAGE: &str = "usage: verger-hook AGENT EVENT < payload.json\n\
    Agents start this program on their events; see `verger --help` for what people run.\n";

/// Runs the program. The exit code is always 0, because agents interpret other exit codes.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<_> = arguments.collect();
    if let [word, root] = &arguments[..]
        && word == UPKEEP_WORD
    {
        run_in_background(root, LocalStore::open);
        return ExitCode::SUCCESS;
    }
    if let [word] = &arguments[..]
        && word == LEFT_SESSIONS_WORD
    {
        look_in_background(LocalStore::open);
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<_> = arguments.iter().map(|a| a.to_string_lossy()).collect();
    let arguments: Vec<_> = arguments.iter().map(AsRef::as_ref).collect();
    if matches!(arguments[..], ["--version" | "-V"]) {
        return say(&format!("verger-hook {}\n", env!("CARGO_PKG_VERSION")));
    }
    let Some(invocation) = Invocation::parse(&arguments) else { return say_to_person(USAGE) };
    // The default hook would print the panic's message into the agent's log. Only the location is
    // stored, for the warning.
    std::panic::set_hook(Box::new(remember_panic));
    let environment = Environment::of_process();
    let clock = Clock::of_process(&environment);
    let answer = caught(|| call::answer(invocation, &environment, &clock))
        .unwrap_or_else(|panicked| Err(failure::Failure::from(panicked).into()))
        .unwrap_or_else(|failed| failure::on_failure(invocation, failed, &environment, &clock));
    answer.map_or(ExitCode::SUCCESS, |text| say(&text))
}

fn say(text: &str) -> ExitCode {
    // Writing fails if the agent closed the pipe. The error is ignored, because the agent doesn't
    // want the answer then.
    drop(std::io::stdout().lock().write_all(text.as_bytes()));
    ExitCode::SUCCESS
}

fn say_to_person(text: &str) -> ExitCode {
    drop(std::io::stderr().lock().write_all(text.as_bytes()));
    ExitCode::SUCCESS
}
