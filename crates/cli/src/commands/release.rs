//! `verger release`: a person opens a gate that blocks an agent.

use clap::{Args, ValueEnum};
use serde_json::json;
use verger_engine::{learning_policy, verification_policy};
use verger_gate::learning::{self, SkipIs, SkippedBy};
use verger_gate::review::{self, Input, Say};
use verger_gate::verification;
use verger_store::{Store, with_causes};

use crate::invocation::ancestry::agent_above;
use crate::invocation::authority::check_release;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::invocation::deferred_to_hook;
use crate::learning::project::ProjectLearnings;
use crate::render::output::{Output, Ui};
use crate::render::short_ids::short_session;
use crate::sessions::gated::{GatedSession, Keeping};
use crate::sessions::picker::meant;

/// Let an agent pass a gate that holds it.
///
/// The agent may then stop, and make the calls that the gate holds back, until its next task
/// begins. Only a person at a terminal can do this. The release and its reason are kept in the log.
#[derive(Debug, Args)]
pub(crate) struct ReleaseArgs {
    /// The gate.
    gate: Gate,

    /// The session's id or its beginning; default: the only live session of this project.
    #[arg(long)]
    session: Option<String>,

    /// The reason, kept in the log.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// A gate that can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Gate {
    /// The work need not be reviewed.
    Review,
    /// The work need not be verified.
    Verify,
    /// The agent need not write down what it learned.
    Learning,
}

/// A gate to open, and the command that asks for it.
pub(super) struct Opening<'a> {
    pub(super) gate: Gate,
    pub(super) session: Option<&'a str>,
    pub(super) reason: Option<&'a str>,
    /// The command's words, such as `release review`.
    pub(super) command: &'static str,
}

/// The result of opening a gate.
struct Opened {
    gate: &'static str,
    /// The state of the gate before.
    was: &'static str,
    is_released: bool,
    /// A problem that did not prevent the release.
    trouble: Option<String>,
}

pub(crate) fn release(
    ui: &mut Ui,
    context: &Context,
    args: &ReleaseArgs,
) -> Result<(), CommandError> {
    let ReleaseArgs { gate, session, reason } = args;
    let command = match gate {
        Gate::Review => "release review",
        Gate::Verify => "release verify",
        Gate::Learning => "release learning",
    };
    let (session, reason) = (session.as_deref(), reason.as_deref());
    open(ui, context, &Opening { gate: *gate, session, reason, command })
}

/// Opens a gate, records that in the log, and reports it.
pub(super) fn open(
    ui: &mut Ui,
    context: &Context,
    opening: &Opening<'_>,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = meant(&store, context, opening.session)?.required()?;
    let session = GatedSession::look_up_for_agent(context, &store, &segment)?;
    let opened = match opening.gate {
        Gate::Review => skip_review(context, &store, &session, opening.reason)?,
        Gate::Learning => skip_learning(context, &store, &session, opening)?,
        Gate::Verify => skip_verification(context, &store, &session, opening.reason)?,
    };
    tell_passed_over(ui, &store);
    if let Some(trouble) = &opened.trouble {
        ui.warn(trouble);
    }
    if opened.is_released && session.keeping() == Keeping::LeftToHook {
        return deferred_to_hook::say(ui, &session.key.session);
    }
    report(ui, &session, &opened)
}

fn skip_review(
    context: &Context,
    store: &impl Store,
    session: &GatedSession,
    reason: Option<&str>,
) -> Result<Opened, CommandError> {
    let stepped = session.step(context, store, &[], |review, policy| {
        review::step(review, &Input::Skip { reason }, policy, context.clock.now())
    })?;
    Ok(Opened {
        gate: review::GATE,
        was: stepped.before.phase.name(),
        is_released: stepped.say != Say::NothingToOpen,
        trouble: None,
    })
}

fn skip_learning(
    context: &Context,
    store: &impl Store,
    session: &GatedSession,
    opening: &Opening<'_>,
) -> Result<Opened, CommandError> {
    if learning_policy(&session.loaded.settings).skip == SkipIs::Persons {
        check_release(opening.command, context)?;
    }
    let by = match agent_above(&context.environment) {
        Some(_) => SkippedBy::Agent,
        None => SkippedBy::Person,
    };
    // The size of the change is only used for statistics. If it is unknown, the gate still opens.
    let facts = session.facts(context, store)?;
    let changed = facts.changed(&session.state.learning.baseline);
    let changed = changed.unwrap_or_default();
    let input = learning::Input::Skip { by, reason: opening.reason, extent: changed.extent() };
    let stepped = session.step_learning(context, store, vec![], &input)?;
    let counted = match session.keeping() {
        Keeping::InLog => {
            ProjectLearnings::of_session(context, session)?.project.tell(&stepped.stats())
        }
        Keeping::LeftToHook => Ok(()),
    };
    Ok(Opened {
        gate: learning::GATE,
        was: stepped.before.phase.name(),
        is_released: stepped.say == learning::Say::Taken,
        trouble: counted.err().map(|error| format!("cannot {}", with_causes(&error))),
    })
}

fn skip_verification(
    context: &Context,
    store: &impl Store,
    session: &GatedSession,
    reason: Option<&str>,
) -> Result<Opened, CommandError> {
    let policy = verification_policy(&session.loaded.settings);
    session.record(context, store, &[], |state| {
        let (gate, now) = (&state.verification, context.clock.now());
        let step = verification::step(gate, &verification::Input::Skip { reason }, &policy, now);
        let opened = Opened {
            gate: verification::GATE,
            was: gate.phase.name(),
            is_released: step.say == verification::Say::Taken,
            trouble: None,
        };
        (verification::events(gate, &step, now), opened)
    })
}

fn report(ui: &mut Ui, session: &GatedSession, opened: &Opened) -> Result<(), CommandError> {
    let Opened { gate, was, is_released, .. } = opened;
    let id = &session.key.session;
    let short = short_session(id.as_str());
    match (ui.output(), is_released) {
        (Output::Json, _) => {
            let answer =
                json!({ "session": id, "gate": gate, "was": was, "released": is_released });
            ui.json(&answer)?;
        }
        (Output::Text, true) => {
            ui.line(format!("released: the {gate} gate of session {short}, which was {was}"))?;
            ui.note("the agent may stop now; verger status shows the state of its gates")?;
        }
        (Output::Text, false) => {
            ui.line(format!("nothing to release: the {gate} gate of session {short} is {was}"))?;
        }
    }
    Ok(())
}
