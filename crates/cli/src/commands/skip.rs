//! `verger skip`: lets an agent pass a gate that is not satisfied.

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
use crate::sessions::gated::{GatedSession, Keeping};
use crate::sessions::picker::meant;

/// Let an agent pass a gate that is not satisfied.
///
/// The agent may then stop and use what the gate holds back. The review gate and the verification gate
/// are a person's to open, until the agent's next task begins. That there is nothing to write down for the learning gate, the
/// agent may say itself, unless `learning.auto_skip_decider` is "never". The release is kept in the
/// log, with the reason.
#[derive(Debug, Args)]
pub(crate) struct SkipArgs {
    /// The gate.
    #[arg(long)]
    gate: Gate,

    /// The session: its id, or the beginning of it. Without it, the only live one of this project.
    #[arg(long)]
    session: Option<String>,

    /// Why, for whoever reads the log.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// A gate that can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Gate {
    /// No "done" without a review.
    Review,
    /// The learnings from a piece of work are written down.
    Learning,
    /// Work that is said to be done is verified.
    #[value(alias = "verification")]
    Verify,
}

/// The result of a skip.
struct Skipped {
    gate: &'static str,
    /// The state of the gate before.
    was: &'static str,
    is_released: bool,
    /// A problem, although the skip is done.
    trouble: Option<String>,
}

pub(crate) fn skip(ui: &mut Ui, context: &Context, args: &SkipArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = meant(&store, context, args.session.as_deref())?.required()?;
    let session = GatedSession::look_up_for_agent(context, &store, &segment)?;
    let reason = args.reason.as_deref();
    let skipped = match args.gate {
        Gate::Review => skip_review(context, &store, &session, reason)?,
        Gate::Learning => skip_learning(context, &store, &session, reason)?,
        Gate::Verify => skip_verification(context, &store, &session, reason)?,
    };
    tell_passed_over(ui, &store);
    if let Some(trouble) = &skipped.trouble {
        ui.warn(trouble);
    }
    if skipped.is_released && session.keeping() == Keeping::LeftToHook {
        return deferred_to_hook::say(ui, &session.key.session);
    }
    report(ui, &session, &skipped)
}

fn skip_review(
    context: &Context,
    store: &impl Store,
    session: &GatedSession,
    reason: Option<&str>,
) -> Result<Skipped, CommandError> {
    let stepped = session.step(context, store, &[], |review, policy| {
        review::step(review, &Input::Skip { reason }, policy, context.clock.now())
    })?;
    Ok(Skipped {
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
    reason: Option<&str>,
) -> Result<Skipped, CommandError> {
    if learning_policy(&session.loaded.settings).skip == SkipIs::Persons {
        check_release("skip --gate learning", context)?;
    }
    let by = match agent_above(&context.environment) {
        Some(_) => SkippedBy::Agent,
        None => SkippedBy::Person,
    };
    // The amount of changed work is only for the statistics: the gate opens without it, too.
    let facts = session.facts(context, store)?;
    let changed = facts.changed(&session.state.learning.baseline);
    let changed = changed.unwrap_or_default();
    let input = learning::Input::Skip { by, reason, extent: changed.extent() };
    let stepped = session.step_learning(context, store, vec![], &input)?;
    let counted = match session.keeping() {
        Keeping::InLog => {
            ProjectLearnings::of_session(context, session)?.project.tell(&stepped.stats())
        }
        Keeping::LeftToHook => Ok(()),
    };
    Ok(Skipped {
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
) -> Result<Skipped, CommandError> {
    let policy = verification_policy(&session.loaded.settings);
    session.record(context, store, &[], |state| {
        let (gate, now) = (&state.verification, context.clock.now());
        let step = verification::step(gate, &verification::Input::Skip { reason }, &policy, now);
        let skipped = Skipped {
            gate: verification::GATE,
            was: gate.phase.name(),
            is_released: step.say == verification::Say::Taken,
            trouble: None,
        };
        (verification::events(gate, &step, now), skipped)
    })
}

fn report(ui: &mut Ui, session: &GatedSession, skipped: &Skipped) -> Result<(), CommandError> {
    let Skipped { gate, was, is_released, .. } = skipped;
    let id = &session.key.session;
    match (ui.output(), is_released) {
        (Output::Json, _) => {
            let answer =
                json!({ "session": id, "gate": gate, "was": was, "released": is_released });
            ui.json(&answer)?;
        }
        (Output::Text, true) => {
            ui.line(format!("released: the {gate} gate of session {id}, which was {was}"))?;
            ui.note("the agent may stop now; verger status shows how its gates stand")?;
        }
        (Output::Text, false) => {
            ui.line(format!("nothing to open: the {gate} gate of session {id} is {was}"))?;
        }
    }
    Ok(())
}
