//! The process that runs the checks of a verification. A supervisor starts it and stores its
//! output. This process itself writes the result to the session's log.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use verger_engine::load_settings;
use verger_exec::detached::{JOB_VARIABLE, Job};
use verger_gate::verification::own_checks::{could_not, not_in_depth, skipped};
use verger_gate::verification::plan::{PlannedCheck, Way};
use verger_gate::verification::{Came, FailingTests, Input, Verified};
use verger_store::{SegmentName, Store};
use verger_store_local::LocalStore;

use super::last_green::tests_of_last_green;
use super::looking::Looking;
use super::order::RunOrder;
use super::program_check::{ProgramCheck, Surroundings};
use super::progress::Progress;
use super::result::{About, Made, RunResult, redacted};
use super::target::Target;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

/// The first argument of this process. No command has this name.
pub(crate) const WORD: &str = "run-checks";

const MAX_ORDER_BYTES: u64 = 64 * 1024;

/// Runs the checks if this process was started for that. `None` otherwise.
pub(crate) fn if_asked(context: &Context) -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != WORD {
        return None;
    }
    Some(match run(context) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The command that waits for the run reports the error.
            drop(writeln!(std::io::stderr(), "{error}"));
            error.exit_code()
        }
    })
}

fn run(context: &Context) -> Result<(), CommandError> {
    let order = read_order()?;
    let home = context.home()?;
    let options = load_settings(&home, None, &context.environment).store_options();
    let store = LocalStore::open(&home.data, options)?;
    let target = match &order.session {
        Some(stem) => {
            let segment = SegmentName::Session(stem.clone());
            Target { root: order.root.clone(), ..Target::of_session(context, &store, segment)? }
        }
        None => Target::of_project(context, &order.root)?,
    };
    let verified = make_checks(context, &store, &target, &order)?;
    let context = context.later();
    let is_recorded = match target.session() {
        None => false,
        // If recording fails, the next command records the result from this process's output.
        Some(session) => {
            session.step_verification(&context, &store, &Input::Ended(&verified)).is_ok()
        }
    };
    let result = RunResult { verified, is_recorded };
    let text = serde_json::to_string(&result).unwrap_or_default();
    Ok(writeln!(std::io::stdout(), "{text}")?)
}

#[derive(Debug, thiserror::Error)]
#[error("run the checks of a verification: its job is unreadable")]
struct NoOrder(#[source] serde_json::Error);

fn read_order() -> Result<RunOrder, CommandError> {
    let mut bytes = vec![];
    std::io::stdin().lock().take(MAX_ORDER_BYTES).read_to_end(&mut bytes)?;
    serde_json::from_slice(&bytes).map_err(|error| CommandError::Failed {
        source: NoOrder(error).into(),
        hint: "verger verify".to_owned(),
    })
}

/// Runs the checks. The result applies to the content at the beginning of the checks.
fn make_checks(
    context: &Context,
    store: &impl Store,
    target: &Target,
    order: &RunOrder,
) -> Result<Verified, CommandError> {
    let start = now();
    let plan = target.plan(order.depth);
    let looking = Looking::begin(context, store, target)?;
    let watched = looking.facts.watch(&target.root)?;
    let seconds = target.settings().verification.timeout_seconds.value;
    let surroundings = Surroundings {
        root: &target.root,
        environment: &context.environment,
        time_limit: Duration::from_secs(seconds),
    };
    let job = context.environment.get(JOB_VARIABLE).map(Job::at);
    let mut made = Made::default();
    for (number, planned) in (1..).zip(&plan.checks) {
        if let Some(job) = &job {
            let (check, of) = (planned.name.clone(), plan.checks.len());
            let began_millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            Progress { check, number, of, began_millis }.tell(job);
        }
        let (came, took) = make(planned, target, &looking, &surroundings);
        made.add(planned, came, took);
    }
    let changed = match &watched {
        Some(then) => looking.facts.changed_since(then)?,
        None => changed_without_git(context, target, &looking)?,
    };
    let project = target.session().and_then(|session| session.state.session.project.clone());
    let before = match project {
        Some(project) if made.ran_tests() => tests_of_last_green(store, &project)?,
        _ => None,
    };
    let about = About {
        run: order.run.clone(),
        plan: &plan,
        content: looking.amount.content.hash.clone(),
        before,
        changed,
    };
    Ok(redacted(store, made.verified(context, target, about)?).bounded())
}

fn make(
    planned: &PlannedCheck,
    target: &Target,
    looking: &Looking<'_, impl Store>,
    surroundings: &Surroundings<'_>,
) -> (Came, Duration) {
    let start = now();
    let came = match &planned.way {
        Way::Command { argv, reading, .. } => {
            let (name, kind) = (planned.name.as_str(), planned.kind);
            return ProgramCheck { name, kind, argv, reading: *reading }.make(surroundings);
        }
        Way::Own => looking.look(target, planned.kind),
        Way::Missing { why } => {
            let failing_tests = FailingTests::Unknown { why: why.clone() };
            Came { failing_tests, ..could_not(why) }
        }
        Way::NotInDepth { needs } => not_in_depth(*needs),
        Way::Skipped { why } => skipped(why),
    };
    (came, start.elapsed())
}

/// The changed files, among the files that the agent's tools named.
fn changed_without_git(
    context: &Context,
    target: &Target,
    looking: &Looking<'_, impl Store>,
) -> Result<Vec<String>, CommandError> {
    let now = Looking::begin(context, looking.store, target)?.amount;
    let then = &looking.amount.content.hash;
    if now.content.hash == *then {
        return Ok(vec![]);
    }
    Ok(looking.facts.differing_paths(then, &now))
}

#[expect(clippy::disallowed_methods, reason = "the result includes the duration of each check")]
fn now() -> Instant {
    Instant::now()
}
