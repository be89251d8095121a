//! `verger review run`: starts the reviewer or waits for the running one, and records its decision.

use std::time::Duration;

use clap::Args;
use verger_engine::{ReviewEnd, review_job};
use verger_exec::Deadline;
use verger_gate::Content;
use verger_gate::review::{self, Given, Input, ReviewerId};
use verger_store::{Append, SegmentName, Store};

use super::begin::{Begun, begin};
use super::report;
use crate::invocation::ancestry::{agent_above, own_run_above, refuse_without_client};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::Ui;
use crate::sessions::gated::GatedSession;
use crate::sessions::picker::meant;

/// The time between two messages that the reviewer still runs.
const TELL_EVERY: Duration = Duration::from_secs(15);

/// Have a session's work reviewed by the program you set.
///
/// Runs the program that is set as review.reviewer, and records its decision. The reviewer
/// continues when this command ends: run the same command again to wait for it. Exit code 1 means
/// that the work is not approved.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,

    /// How long to wait for the reviewer.
    ///
    /// Shells of agents end their commands after two minutes.
    #[arg(long, value_name = "SECONDS", default_value_t = 100)]
    wait: u64,
}

pub(crate) fn run(ui: &mut Ui, context: &Context, args: &RunArgs) -> Result<(), CommandError> {
    let client = context.of_client();
    if [context, &client].iter().any(|context| own_run_above(&context.environment).is_some()) {
        return Err(CommandError::Refused {
            message: "a reviewer cannot ask for a review".to_owned(),
            hint: "decide: write a JSON object with a \"decision\" to standard output".to_owned(),
        });
    }
    let store = client.open_store(ui)?;
    if !store.is_sealed() {
        refuse_without_client(&context.environment, "review run")?;
    }
    let segment = meant(&store, context, args.session.as_deref())?.required()?;
    let session = GatedSession::look_up(&client, &store, &segment)?;
    let begun = begin(&client, &store, &segment, &session).map_err(|error| match error {
        CommandError::Failed { .. } if store.is_sealed() => sealed(context),
        error => error,
    })?;
    tell_passed_over(ui, &store);
    match begun {
        Begun::Approved => report::approved_already(ui, &session),
        Begun::NotRun { id, end } => take(ui, &client, &store, &segment, &id, &end),
        Begun::Job { id, started } => {
            ui.tell(&report::beginning(started, &session.loaded.settings));
            match wait(ui, &client, &session, &id, args.wait)? {
                None => report::still_running(ui, &session, &id),
                Some(end) => take(ui, &client.later(), &store, &segment, &id, &end),
            }
        }
    }
}

/// The error if verger's data cannot be written. The hook, which could record a decision, starts no
/// reviewer.
fn sealed(context: &Context) -> CommandError {
    let hint = match agent_above(&context.environment) {
        Some(_) => {
            "run `verger review run` outside of the sandbox; if you cannot, tell the person, who can \
             run it in a terminal, or let it run outside"
        }
        None => "verger doctor",
    };
    CommandError::Failed { source: Sealed.into(), hint: hint.to_owned() }
}

#[derive(Debug, thiserror::Error)]
#[error("record a review: verger's data cannot be written from here")]
struct Sealed;

fn wait(
    ui: &Ui,
    context: &Context,
    session: &GatedSession,
    id: &str,
    seconds: u64,
) -> Result<Option<ReviewEnd>, CommandError> {
    let job = review_job(&context.home()?, &session.key, id);
    let mut next = None;
    let end = ReviewEnd::wait(&job, Deadline::after(Duration::from_secs(seconds)), |since| {
        let due = *next.get_or_insert(since + TELL_EVERY);
        if since >= due {
            next = Some(since + TELL_EVERY);
            ui.tell(&format!("the reviewer has been running for {} s", since.as_secs()));
        }
    });
    end.map_err(|source| CommandError::Failed {
        source: NotWaited(source).into(),
        hint: format!("ls -ld {}", job.directory().display()),
    })
}

#[derive(Debug, thiserror::Error)]
#[error("read the state of the running review")]
struct NotWaited(#[source] std::io::Error);

/// Records the decision. If several processes wait for the review, the first one records the
/// decision and all report it.
fn take(
    ui: &mut Ui,
    context: &Context,
    store: &impl Store,
    segment: &SegmentName,
    id: &str,
    end: &ReviewEnd,
) -> Result<(), CommandError> {
    let session = GatedSession::look_up(context, store, segment)?;
    let reviewers = &session.state.review.reviewers;
    let (now, changed_paths) = match reviewers.get(&ReviewerId::Command(id.to_owned())) {
        Some(reviewing) => {
            let facts = session.facts(context, store)?;
            session.work_now(&facts, &reviewing.content, end.decision.outcome)?
        }
        // Another process recorded the decision.
        None => (Content::nothing(), vec![]),
    };
    let given = Given { decision: &end.decision, content: &now, changed_paths: &changed_paths };
    let input = Input::RunEnded { job: id, ran: &end.ran, given };
    let stepped = session.step(context, store, &[], |review, policy| {
        review::step(review, &input, policy, context.clock.now())
    })?;
    tell_passed_over(ui, store);
    report::ended(ui, &session, id, end, &stepped)
}
