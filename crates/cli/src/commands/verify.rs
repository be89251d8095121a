//! `verger verify`: verifies the work of a session, or the uncommitted work in this directory.

mod begin;
mod plan;
mod report;
mod waiting;

use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_exec::Deadline;
use verger_gate::verification::{Depth, Input, wanted_depth};

use begin::{Begun, Knowledge, Request, Run, begin, is_begun_anew};
use waiting::{Waited, wait};

use crate::invocation::ancestry::{agent_above, own_run_above, refuse_without_client};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui};
use crate::sessions::picker::meant;
use crate::verify::looking::Looking;
use crate::verify::recording::recorded;
use crate::verify::result::RunResult;
use crate::verify::target::{Target, TargetOf};
use verger_store::Store;

/// Check whether work is done: format, lint, types, tests.
///
/// The commands are set as verification.* or detected from project files; `--plan` shows them. They
/// continue when this command ends: run the same command again to wait for them. Green checks stay
/// green until the work changes. Exit codes: 0 green (every required check ran and passed), 1 red,
/// 5 if a required check did not run or the checks still run.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The session's id or its beginning; default: the live one, or uncommitted changes here.
    #[arg(long)]
    session: Option<String>,

    /// How many tests to run; default: verification.depth.
    ///
    /// Without this option, risky work is verified deeper than verification.depth says.
    #[arg(long, value_parser = depth_parser())]
    depth: Option<Depth>,

    /// Show which checks would run, and where they come from; run nothing.
    #[arg(long, conflicts_with_all = ["force", "wait"])]
    plan: bool,

    /// Run every check again; a run that is under way is ended.
    #[arg(long)]
    force: bool,

    /// How long to wait for the checks; default: 100 for agents, to the end for people.
    ///
    /// Shells of agents end their commands after two minutes.
    #[arg(long, value_name = "SECONDS")]
    wait: Option<u64>,
}

const AGENTS_WAIT: Duration = Duration::from_secs(100);

fn depth_parser() -> impl TypedValueParser<Value = Depth> {
    PossibleValuesParser::new(Depth::ALL.map(Depth::as_str)).try_map(|word| word.parse::<Depth>())
}

pub(crate) fn verify(
    ui: &mut Ui,
    context: &Context,
    args: &VerifyArgs,
) -> Result<(), CommandError> {
    let client = context.of_client();
    let store = client.open_store(ui)?;
    let meant = meant(&store, context, args.session.as_deref())?;
    let mut target = Target::meant(&client, &store, meant)?;
    if ui.output() == Output::Text {
        target.loaded().problems.iter().for_each(|problem| ui.warn(problem));
    }
    let plan = match args.depth {
        Some(depth) => target.plan(depth),
        None => target.plan(risk_depth(ui, &client, &store, &target)),
    };
    if args.plan {
        return plan::show(ui, &client, &target, &plan);
    }
    refuse_inside_a_run(&[context, &client])?;
    refuse_where_nothing_can_be_kept(context, &store)?;
    refuse_without_client(&context.environment, "verify")?;
    let wait = match (args.wait, agent_above(&context.environment)) {
        (Some(seconds), _) => Duration::from_secs(seconds),
        (None, Some(_)) => AGENTS_WAIT,
        (None, None) => Duration::MAX,
    };
    let knowledge = if args.force { Knowledge::Forgotten } else { Knowledge::Used };
    let result = run(ui, &client, &store, &mut target, Request { plan: &plan, knowledge }, wait);
    tell_passed_over(ui, &store);
    result
}

/// The configured depth, or a deeper one if the work is risky. The configured depth if the work
/// can't be read.
fn risk_depth(ui: &Ui, context: &Context, store: &impl Store, target: &Target) -> Depth {
    let set = target.policy().depth;
    let Ok(looking) = Looking::begin(context, store, target) else { return set };
    let risks = looking.risks(target);
    let by_risk = wanted_depth(set, &risks);
    let gate = target.session().map(|session| &session.state.verification);
    let wanted = gate.map_or(by_risk, |gate| gate.wanted(&looking.amount.content.hash, by_risk));
    if wanted != by_risk {
        ui.tell(&format!(
            "depth {wanted} instead of {by_risk}: the last {wanted} verification of this work was not green"
        ));
    } else if wanted != set {
        let risks: Vec<_> = risks.iter().map(ToString::to_string).collect();
        ui.tell(&format!("depth {wanted} instead of {set}: {}", risks.join("; ")));
    }
    wanted
}

/// Refuses to verify inside a check, because the verification would wait for itself.
fn refuse_inside_a_run(contexts: &[&Context]) -> Result<(), CommandError> {
    if contexts.iter().any(|context| own_run_above(&context.environment).is_some()) {
        return Err(CommandError::Refused {
            message: "a check or a review cannot run `verger verify`".to_owned(),
            hint:
                "remove `verger verify` from the checks; `verger verify --plan` shows the commands"
                    .to_owned(),
        });
    }
    Ok(())
}

/// Refuses if verger's data can't be written. The hook could record the result, but it doesn't run
/// the project's own code.
fn refuse_where_nothing_can_be_kept(
    context: &Context,
    store: &impl Store,
) -> Result<(), CommandError> {
    if !store.is_sealed() {
        return Ok(());
    }
    let hint = match agent_above(&context.environment) {
        Some(_) => {
            "run `verger verify` outside of the sandbox; if you cannot, tell the person, who can run it \
             in a terminal, or let it run outside (docs/verify-command.md)"
        }
        None => "verger doctor",
    };
    Err(CommandError::Failed { source: Sealed.into(), hint: hint.to_owned() })
}

#[derive(Debug, thiserror::Error)]
#[error("save a verification: verger's data cannot be written from here")]
struct Sealed;

fn run(
    ui: &mut Ui,
    context: &Context,
    store: &impl Store,
    target: &mut Target,
    mut request: Request<'_>,
    patience: Duration,
) -> Result<(), CommandError> {
    let deadline = Deadline::after(patience);
    loop {
        let run = match begin(ui, context, store, target, request)? {
            Begun::Known(verified) => return report::known(ui, target, &verified),
            Begun::Run(run) => run,
        };
        ui.tell(&report::beginning(&run, target));
        let waited = wait(ui, &run.job, deadline)?;
        match known_by_now(waited, store, target, &run)? {
            Waited::StillRunning { at } => {
                return report::still_running(ui, target, request.plan, &run.order, at.as_deref());
            }
            Waited::Lost { why } => {
                lose(context, store, target, &run)?;
                if !is_begun_anew(context, target, &run)? {
                    return report::lost(ui, target, request.plan, &run.order, &why);
                }
            }
            Waited::Ended(result) => {
                let result = take(&context.later(), store, target, &run, *result)?;
                if run.is_of(request.plan) {
                    return report::ended(ui, target, &result);
                }
            }
        }
        // The run was made for another plan, or another process began a new run.
        request.knowledge = Knowledge::Used;
        target.refresh(store)?;
    }
}

/// Looks up the result of a lost run in the log. The run may have ended although its watcher was
/// killed.
fn known_by_now(
    waited: Waited,
    store: &impl Store,
    target: &Target,
    run: &Run,
) -> Result<Waited, CommandError> {
    let TargetOf::Session { segment, .. } = &target.of else { return Ok(waited) };
    if !matches!(waited, Waited::Lost { .. }) {
        return Ok(waited);
    }
    let verified = recorded(store, segment, &run.order.run)?;
    let ended = |verified| Waited::Ended(Box::new(RunResult { verified, is_recorded: true }));
    Ok(verified.map_or(waited, ended))
}

/// Records the result of a run that could not record it itself.
fn take(
    context: &Context,
    store: &impl Store,
    target: &Target,
    run: &Run,
    mut result: RunResult,
) -> Result<RunResult, CommandError> {
    if let (Some(session), false) = (target.session(), result.is_recorded) {
        session.step_verification(context, store, &Input::Ended(&result.verified))?;
        result.is_recorded = true;
    }
    run.tell_no_more();
    Ok(result)
}

fn lose(
    context: &Context,
    store: &impl Store,
    target: &Target,
    run: &Run,
) -> Result<(), CommandError> {
    if let Some(session) = target.session() {
        session.step_verification(context, store, &Input::Lost { run: &run.order.run })?;
    }
    run.tell_no_more();
    Ok(())
}
