//! The hook program: one event on standard input, one answer on standard output.
//!
//! `verger-hook AGENT EVENT [plugin]` reads one JSON value, decodes it in the agent's dialect, opens the
//! session in the log, records what happened and answers. Silence means "no opinion". Whatever goes
//! wrong meets one function, [`failure::on_failure`]: the agent is never held up by our faults.
//!
//! Nothing here waits for a network, a model or a daemon.

mod block_template;
mod bounded_file;
mod call;
mod clock;
mod decay_policy;
mod delegation_gate;
#[cfg(test)]
mod documented_limits;
mod drift_gate;
mod drift_program;
mod environment;
mod facts;
mod failure;
mod gate_patience;
mod gates;
mod guard;
mod guard_rules;
mod habit_guard;
mod implicit_use;
mod input;
mod invocation;
mod json_end;
mod learning_gate;
mod learning_policy;
mod left_commands;
mod namesake;
mod offering;
mod opinion;
mod oracle;
mod own_commands;
mod project_library;
mod real_path;
mod recalling;
mod review_gate;
mod review_policy;
mod review_rules;
mod review_run;
mod settings;
mod spoken;
mod ticket_facts;
mod ticket_order;
mod tool_patterns;
mod trust;
mod undo;
mod unstored;
mod upkeep;
mod verification_gate;
mod verification_plan;
mod verification_policy;

use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use failure::{Failed, Failure};

use invocation::Invocation;

pub use block_template::{ChosenTemplate, block_template, template_problems};
pub use bounded_file::read_bounded;
pub use clock::{Clock, seed_of_child};
pub use decay_policy::decay_policy;
pub use environment::Environment;
pub use facts::{
    AddedStubs, Amount, ChangedWork, FactFinder, UnknownContent, WorkExtent, work_directory,
};
pub use guard::{Answered, EdgeFacts, LineGuard, ProtectedFiles, Release};
pub use guard_rules::{GuardRule, LoadedRules};
pub use habit_guard::{LineHabit, habits_of_line};
pub use invocation::Registered;
pub use learning_policy::learning_policy;
pub use namesake::{Namesake, find_namesake};
pub use opinion::{OpinionFailure, OpinionRequest, ask_opinion};
pub use project_library::{ProjectLibrary, open_library};
pub use real_path::{real_paths, without_dots};
pub use recalling::{Found, LeftOut, Preview, PreviewOf, Previewed, Selection, TaskSelection};
pub use review_policy::review_policy;
pub use review_rules::reviewer;
pub use review_run::{MAX_REVIEW_OUTPUT_BYTES, ReviewEnd, ReviewRun, review_job};
pub use settings::{ConfigFile, ConfigFiles, LoadedSettings, ProjectFile, load_settings};
pub use ticket_order::ticket_order;
pub use trust::{UnusableTrust, content_hash, read_trust, trusted_worktree};
pub use undo::{undo_limits, undo_retention};
pub use unstored::{Unstored, Waiting, take_turn};
pub use upkeep::{FoundLeft, LeftSessions, Log, Looked, Round, Upkeep, UpkeepError, Upkept};
pub use verger_agent::PLUGIN_WORD;
pub use verger_gate::State;
pub use verification_plan::verification_plan;
pub use verification_policy::verification_policy;

const USAGE: &str = "usage: verger-hook AGENT EVENT < payload.json\n\
    Agents start this program on their events; see `verger --help` for what people run.\n";

/// Runs the program. The exit code is 0 whatever happens: any other would mean something to an
/// agent.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<_> = arguments.collect();
    if let [word, root] = &arguments[..]
        && word == upkeep::WORD
    {
        upkeep::run_in_background(root);
        return ExitCode::SUCCESS;
    }
    if let [word] = &arguments[..]
        && word == upkeep::LEFT_WORD
    {
        upkeep::look_in_background();
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<_> = arguments.iter().map(|a| a.to_string_lossy()).collect();
    let arguments: Vec<_> = arguments.iter().map(AsRef::as_ref).collect();
    if matches!(arguments[..], ["--version" | "-V"]) {
        return say(&format!("verger-hook {}\n", env!("CARGO_PKG_VERSION")));
    }
    let Some(invocation) = Invocation::parse(&arguments) else { return say_to_person(USAGE) };
    // A panic's message would reach the agent's own log; where it happened is kept for the warning.
    std::panic::set_hook(Box::new(failure::remember_panic));
    let environment = Environment::of_process();
    let clock = Clock::of_process(&environment);
    let answer = guarded(|| call::answer(invocation, &environment, &clock));
    let answer = answer
        .unwrap_or_else(|failed| failure::on_failure(invocation, failed, (&environment, &clock)));
    answer.map_or(ExitCode::SUCCESS, |text| say(&text))
}

/// A panic is a failure like any other.
fn guarded<T>(work: impl FnOnce() -> Result<T, Failed>) -> Result<T, Failed> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Failure::Panicked(failure::remembered_panic()).into()))
}

fn say(text: &str) -> ExitCode {
    // An agent that closed the pipe does not want to know.
    drop(std::io::stdout().lock().write_all(text.as_bytes()));
    ExitCode::SUCCESS
}

fn say_to_person(text: &str) -> ExitCode {
    drop(std::io::stderr().lock().write_all(text.as_bytes()));
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_names_its_place_and_quotes_nothing() {
        std::panic::set_hook(Box::new(failure::remember_panic));
        let line = line!() + 1;
        let failure = guarded::<()>(|| panic!("sk-ant-quoted")).unwrap_err().failure.to_string();
        drop(std::panic::take_hook());
        let place = format!("a bug in verger: panicked at crates/hook/src/lib.rs:{line}");
        assert_eq!(failure.rsplit_once(':').map(|(place, _)| place), Some(place.as_str()));
    }
}
