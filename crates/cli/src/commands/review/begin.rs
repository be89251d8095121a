//! Finds the review that is under way, or begins one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_config::ProgramCommand;
use verger_engine::{
    Amount, MAX_REVIEW_OUTPUT_BYTES, ReviewEnd, ReviewRun, State, review_job, work_directory,
};
use verger_exec::detached::{Job, JobState, Order, StartError, Supervisor};
use verger_gate::review::message::Reviewer;
use verger_gate::review::{self, Input, Phase, Proof, ReviewerId, ReviewerProgram};
use verger_store::{SegmentName, Store};

use super::brief;
use crate::config::user_file;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::invocation::supervision::supervisor;
use crate::review::assignment::Assignment;
use crate::review::reviewer_program;
use crate::sessions::gated::GatedSession;

/// The review after [`begin`].
pub(super) enum Begun {
    /// The work is approved in its current state.
    Approved,
    Job {
        id: String,
        started: Started,
    },
    /// The program does not exist, so the review ended before a job was started.
    NotRun {
        id: String,
        end: ReviewEnd,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Started {
    Now,
    Before,
}

/// Finds or begins a review. A lock ensures that two concurrent callers get the same review.
pub(super) fn begin(
    context: &Context,
    store: &impl Store,
    segment: &SegmentName,
    session: &GatedSession,
) -> Result<Begun, CommandError> {
    let stem = session.key.file_stem();
    let _lock = user_file::lock(&context.home()?.reviews(&stem))?;
    let state: State = store.folded(&stem)?;
    let supervisor = supervisor(context.environment.all().to_vec())?;
    let under_way = ReviewRun::under_way(&state.review).map(|run| run.id.to_owned());
    if let Some(id) = &under_way
        && go_on(&review_job(&context.home()?, &session.key, id), &supervisor)?
    {
        return Ok(Begun::Job { id: id.clone(), started: Started::Before });
    }
    let id = under_way.unwrap_or_else(|| context.clock.next_id().to_string());
    let assignment = Assignment::read(store, segment)?;
    let facts = session.facts(context, store)?;
    let (amount, text) = brief::make(&assignment, &session.key, &id, &facts)?;
    if is_approved(&state.review.phase, &amount) {
        return Ok(Begun::Approved);
    }
    let directory = work_directory(&state.work, state.session.cwd.as_deref());
    let (program, command) = match choose(context, session, &directory)? {
        Chosen::Program { file, command } => (file, command),
        Chosen::Nobody { meant, why } => {
            record(context, store, session, &id, meant, &amount)?;
            return Ok(Begun::NotRun { id, end: ReviewEnd::not_run(&why) });
        }
    };
    let order = Order {
        arguments: command.arguments.iter().map(OsString::from).collect(),
        program,
        directory,
        time_limit: Duration::from_secs(
            session.loaded.settings.review.reviewer_timeout_seconds.value,
        ),
        max_output_bytes: MAX_REVIEW_OUTPUT_BYTES,
    };
    let identity = reviewer_program::identity(command, Some(&order.program));
    record(context, store, session, &id, identity, &amount)?;
    let job = review_job(&context.home()?, &session.key, &id);
    job.start(&order, store.redacted(&text).as_bytes(), &supervisor)?;
    Ok(Begun::Job { id, started: Started::Now })
}

/// Whether the job of a recorded review exists. A process that was killed may have recorded the
/// review without writing the job, or written the job without starting it. A waiting job is
/// resumed.
fn go_on(job: &Job, supervisor: &Supervisor) -> Result<bool, CommandError> {
    let look = |source| StartError::Look { directory: job.directory().to_owned(), source };
    match job.state().map_err(look)? {
        JobState::Absent => return Ok(false),
        JobState::Waiting => job.resume(supervisor)?,
        JobState::Running { .. } | JobState::Ended(_) | JobState::Died => {}
    }
    Ok(true)
}

/// The reviewer that is to run.
enum Chosen<'a> {
    Program {
        file: PathBuf,
        command: &'a ProgramCommand,
    },
    /// No reviewer can run. Contains the configured reviewer and the reason.
    Nobody {
        meant: ReviewerProgram,
        why: String,
    },
}

fn choose<'a>(
    context: &Context,
    session: &'a GatedSession,
    directory: &Path,
) -> Result<Chosen<'a>, CommandError> {
    let Some(command) = &session.loaded.settings.review.reviewer.value else {
        return match session.reviewer(context)? {
            // This is a usage error and not an unavailable review. An unavailable review may open
            // the gate, so an agent could avoid its reviewer that way.
            subagent @ Reviewer::Subagent { .. } => Err(CommandError::Usage {
                message: "no review program is set".to_owned(),
                hint: subagent.next_step(&session.key.session.word()),
            }),
            Reviewer::Command | Reviewer::Missing => {
                Ok(Chosen::Nobody { meant: ReviewerProgram::default(), why: NOT_SET.to_owned() })
            }
        };
    };
    let path = context.environment.get("PATH");
    let found = reviewer_program::find(&command.program, path.as_deref(), directory);
    Ok(found.map_or_else(
        || Chosen::Nobody {
            meant: reviewer_program::identity(command, None),
            why: format!("there is no program {:?}", command.program),
        },
        |file| Chosen::Program { file, command },
    ))
}

const NOT_SET: &str = "no review program is set; a person can set review.reviewer = { command = [\"program\", \
     \"argument\"] } in their config.toml (docs/reviewer-command.md)";

fn record(
    context: &Context,
    store: &impl Store,
    session: &GatedSession,
    id: &str,
    program: ReviewerProgram,
    amount: &Amount,
) -> Result<(), CommandError> {
    let started = Input::ReviewerStarted {
        reviewer: ReviewerId::Command(id.to_owned()),
        proof: Proof::Run(program),
        content: &amount.content,
    };
    session.step(context, store, &[], |review, policy| {
        review::step(review, &started, policy, context.clock.now())
    })?;
    Ok(())
}

fn is_approved(phase: &Phase, amount: &Amount) -> bool {
    matches!(phase, Phase::Approved { approval, .. } if approval.content == amount.content.hash)
}

impl From<StartError> for CommandError {
    fn from(error: StartError) -> Self {
        let hint = match &error {
            StartError::Write { directory, .. } | StartError::Look { directory, .. } => {
                format!("ls -ld {}", directory.display())
            }
            StartError::Run(_) | StartError::Refused { .. } | StartError::NotBegun => {
                "verger doctor".to_owned()
            }
            StartError::TooDeep => {
                "run this command outside of the checks and reviews that verger runs".to_owned()
            }
        };
        Self::Failed { source: error.into(), hint }
    }
}
