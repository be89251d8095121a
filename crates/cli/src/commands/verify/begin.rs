//! Finds an earlier result for the work, finds the run that is under way, or begins a run.

use std::fs;
use std::path::Path;
use std::time::Duration;

use verger_engine::seed_of_child;
use verger_exec::detached::{Job, JobState, Order, StartError, Supervisor};
use verger_gate::verification::plan::Way;
use verger_gate::verification::{Input, Verified};

use super::waiting::{Waited, look};
use crate::config::user_file;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::invocation::supervision::supervisor;
use crate::render::output::Ui;
use crate::verify::live::{look_again, sufficient};
use crate::verify::looking::Looking;
use crate::verify::order::RunOrder;
use crate::verify::recording::recorded;
use crate::verify::runner;
use crate::verify::target::{Plan, Target, TargetOf};
use verger_store::Store;

/// The size limit of a run's result. Valid results are smaller.
const MAX_RESULT_BYTES: u64 = 256 * 1024;
/// The time limit of a run, without its commands.
const OWN_TIME: Duration = Duration::from_mins(10);

/// Whether an earlier result for the same work may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Knowledge {
    Used,
    Forgotten,
}

/// The parameters of a verification.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) plan: &'a Plan,
    pub(super) knowledge: Knowledge,
}

/// The result of [`begin`].
pub(super) enum Begun {
    /// The work is known to be green, as far as commands can tell.
    Known(Box<Verified>),
    /// A run to wait for.
    Run(Run),
}

pub(super) struct Run {
    pub(super) job: Job,
    pub(super) order: RunOrder,
    pub(super) started: Started,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Started {
    Now,
    /// The run began before this command, and the work is unchanged since.
    Before,
    /// The run began before this command, and the work has changed since.
    BeforeTheWorkChanged,
}

/// The name of a file in a run's directory that exists once the run's result was reported.
const TOLD: &str = "told";

impl Run {
    /// Whether the run was made for this plan.
    pub(super) fn is_of(&self, plan: &Plan) -> bool {
        self.order.depth == plan.depth && self.order.plan == plan.name
    }

    /// Marks the result as reported, so that the next command does not report it again.
    pub(super) fn tell_no_more(&self) {
        // Without the file, the result is reported twice, which does no harm.
        drop(self.job.write(TOLD, b""));
    }

    fn is_told(&self) -> bool {
        self.job.directory().join(TOLD).exists()
    }
}

/// Finds or begins a run. A lock ensures that two concurrent commands get the same run.
pub(super) fn begin(
    ui: &Ui,
    context: &Context,
    store: &impl Store,
    target: &mut Target,
    request: Request<'_>,
) -> Result<Begun, CommandError> {
    let Request { plan, knowledge } = request;
    let runs = target.runs(context)?;
    let _lock = user_file::lock(&runs)?;
    let looking = Looking::begin(context, store, target)?;
    // In tests, the child's seed is taken before the runs of killed commands are settled. Otherwise
    // the settling would change the ids that the child makes.
    let mut environment = context.environment.all().to_vec();
    if let Some((name, value)) = seed_of_child(&context.clock) {
        environment.retain(|(known, _)| known != name);
        environment.push((name.into(), value.into()));
    }
    let supervisor = supervisor(environment)?;
    for mut run in runs_in(&runs)? {
        if looking.amount.content.hash != run.order.content {
            run.started = Started::BeforeTheWorkChanged;
        }
        if knowledge == Knowledge::Used && goes_on(&run, plan, &supervisor)? {
            return Ok(Begun::Run(run));
        }
        settle(ui, context, store, target, run)?;
    }
    target.refresh(store)?;
    if knowledge == Knowledge::Used
        && let Some(known) = known(context, target, &looking, plan)?
    {
        return Ok(Begun::Known(Box::new(known)));
    }
    start(context, target, plan, &looking, &runs, &supervisor).map(Begun::Run)
}

/// The runs whose directory exists, the oldest first.
fn runs_in(directory: &Path) -> Result<Vec<Run>, CommandError> {
    let look = |source| StartError::Look { directory: directory.to_owned(), source };
    let mut runs = vec![];
    for entry in fs::read_dir(directory).map_err(look)? {
        let job = Job::at(entry.map_err(look)?.path());
        if let Some(order) = RunOrder::of(&job) {
            runs.push(Run { job, order, started: Started::Before });
        }
    }
    runs.sort_by(|one, other| one.order.run.cmp(&other.order.run));
    Ok(runs)
}

/// Whether another process began a new run to replace a lost one.
pub(super) fn is_begun_anew(
    context: &Context,
    target: &Target,
    lost: &Run,
) -> Result<bool, CommandError> {
    let runs = target.runs(context)?;
    let _lock = user_file::lock(&runs)?;
    let is_live = |run: &Run| {
        run.order.run != lost.order.run
            && matches!(
                run.job.state(),
                Ok(JobState::Waiting | JobState::Running { .. } | JobState::Ended(_))
            )
    };
    Ok(runs_in(&runs)?.iter().any(is_live))
}

/// Whether to wait for a run. True if the run is under way, or if it has ended with an unreported
/// result for exactly this work.
fn goes_on(run: &Run, plan: &Plan, supervisor: &Supervisor) -> Result<bool, CommandError> {
    let look = |source| StartError::Look { directory: run.job.directory().to_owned(), source };
    Ok(match run.job.state().map_err(look)? {
        JobState::Absent | JobState::Died => false,
        JobState::Running { .. } => true,
        JobState::Waiting => {
            run.job.resume(supervisor)?;
            true
        }
        JobState::Ended(_) => run.started == Started::Before && run.is_of(plan) && !run.is_told(),
    })
}

const UNDER_WAY: &str = "ended the verification that was running";

/// Records the result of a run that no command waits for, ends its process, and removes it.
fn settle(
    ui: &Ui,
    context: &Context,
    store: &impl Store,
    target: &Target,
    run: Run,
) -> Result<(), CommandError> {
    let (verified, said) = match look(&run.job)? {
        Waited::Ended(result) => (Some(result.verified), None),
        Waited::StillRunning { .. } => (None, Some(UNDER_WAY.to_owned())),
        Waited::Lost { .. } if run.is_told() => (None, None),
        Waited::Lost { why } => (None, Some(format!("the last verification was lost: {why}"))),
    };
    if let Some(session) = target.session() {
        let input = match &verified {
            Some(verified) => Input::Ended(verified),
            None => Input::Lost { run: &run.order.run },
        };
        session.step_verification(context, store, &input)?;
    }
    if let Some(said) = said {
        ui.tell(&said);
    }
    let directory = run.job.directory().to_owned();
    let removed = run.job.remove();
    Ok(removed.map_err(|source| StartError::Look { directory, source })?)
}

/// The earlier green result for this work. Repeats the checks that can change without the content,
/// and records a changed status.
fn known(
    context: &Context,
    target: &Target,
    looking: &Looking<'_, impl Store>,
    plan: &Plan,
) -> Result<Option<Verified>, CommandError> {
    let Some(green) = sufficient(target, looking, plan) else { return Ok(None) };
    let TargetOf::Session { segment, session } = &target.of else { return Ok(None) };
    // The session's state has only the status, so the whole result is read from the log.
    let Some(last) = recorded(looking.store, segment, &green.run)? else { return Ok(None) };
    let now = look_again(context, target, looking, &last)?;
    if now.status != last.status {
        session.step_verification(context, looking.store, &Input::Ended(&now))?;
    }
    Ok(Some(now))
}

fn start(
    context: &Context,
    target: &Target,
    plan: &Plan,
    looking: &Looking<'_, impl Store>,
    runs: &Path,
    supervisor: &Supervisor,
) -> Result<Run, CommandError> {
    let order = RunOrder {
        run: context.clock.next_id().to_string(),
        session: target.session().map(|session| session.key.file_stem()),
        root: target.root.clone(),
        depth: plan.depth,
        plan: plan.name.clone(),
        content: looking.amount.content.hash.clone(),
    };
    if let Some(session) = target.session() {
        let started =
            Input::Started { run: &order.run, depth: order.depth, content: &order.content };
        session.step_verification(context, looking.store, &started)?;
    }
    let job = Job::at(runs.join(&order.run));
    let input = serde_json::to_vec(&order).unwrap_or_default();
    job.start(&job_order(target, plan, supervisor), &input, supervisor)?;
    Ok(Run { job, order, started: Started::Now })
}

/// The order for the process that runs the checks. That process limits the time of each check
/// itself.
fn job_order(target: &Target, plan: &Plan, supervisor: &Supervisor) -> Order {
    let is_command = |way: &Way| matches!(way, Way::Command { .. });
    let commands = plan.checks.iter().filter(|check| is_command(&check.way)).count();
    let each = Duration::from_secs(target.settings().verification.timeout_seconds.value);
    let all = each.saturating_mul(u32::try_from(commands).unwrap_or(u32::MAX));
    Order {
        program: supervisor.program.clone(),
        arguments: vec![runner::WORD.into()],
        directory: target.root.clone(),
        time_limit: all.saturating_add(OWN_TIME),
        max_output_bytes: MAX_RESULT_BYTES,
    }
}
