//! `verger decide`: records a reviewer's decision on the work.

use std::io::Read;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use verger_gate::Content;
use verger_gate::review::{
    self, Decision, Given, Input, Outcome, Phase, Refusal, Review, Say, Step, TokenHash, message,
};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::invocation::deferred_to_hook;
use crate::render::output::{Output, Ui};
use crate::review::story::ReviewStories;
use crate::sessions::gated::{GatedSession, Keeping, Stepped};
use crate::sessions::picker::meant;

/// The maximum length of a message from standard input.
const MAX_MESSAGE_BYTES: u64 = 64 * 1024;

/// Decide on the work of a session, as its reviewer.
///
/// Only the reviewer that got the token at its start can decide, and only once. It must run this as
/// one plain command. Exit code 1 means that the decision was not accepted.
#[derive(Debug, Args)]
pub(crate) struct DecideArgs {
    /// The reviewer's decision about the work.
    ///
    /// `complete` approves it, `issues` asks for changes, `unavailable` means that it could not be
    /// reviewed.
    #[arg(ignore_case = true, value_parser = outcomes())]
    decision: Outcome,

    /// The checks that were made or the problems that were found, in one line.
    summary: String,

    /// The session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,

    /// The token that the reviewer was given when it started.
    #[arg(long)]
    token: Option<String>,

    /// The changes that the agent has to make; `-` reads them from standard input.
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,

    /// The opinions of other models.
    #[arg(long, value_name = "TEXT")]
    opinions: Option<String>,
}

fn outcomes() -> impl TypedValueParser<Value = Outcome> {
    PossibleValuesParser::new(Outcome::ALL.map(Outcome::as_str))
        .try_map(|word| word.parse::<Outcome>())
}

pub(crate) fn decide(
    ui: &mut Ui,
    context: &Context,
    args: &DecideArgs,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = meant(&store, context, args.session.as_deref())?.required()?;
    let session = GatedSession::look_up_for_agent(context, &store, &segment)?;
    let token = args.token.as_deref().map(TokenHash::of);
    let reviewers = &session.state.review.reviewers;
    let known = token.as_ref().and_then(|token| reviewers.with_token(token));
    let evidence = match known {
        Some((reviewer, _)) => ReviewStories::read(&store, &segment)?.evidence(reviewer),
        None => vec![],
    };
    let stepped = match given(args) {
        Err(why) => session.step(context, &store, &evidence, |_, _| Step::refused(why))?,
        Ok(decision) => {
            let (now, changed_paths) = match known {
                // In this environment, this process can't write the files that git needs for a
                // comparison. So the hook takes the decision.
                Some(_) if session.keeping() == Keeping::LeftToHook => {
                    return deferred_to_hook::say(ui, &session.key.session);
                }
                Some((_, reviewing)) => {
                    let facts = session.facts(context, &store)?;
                    session.work_now(&facts, &reviewing.content, decision.outcome)?
                }
                // No reviewer has this token, so there is no content to compare.
                None => (Content::nothing(), vec![]),
            };
            let given = Given { decision: &decision, content: &now, changed_paths: &changed_paths };
            let input = Input::Decide { token: token.clone(), given };
            session.step(context, &store, &evidence, |review, policy| {
                review::step(review, &input, policy, context.clock.now())
            })?
        }
    };
    tell_passed_over(ui, &store);
    report(ui, context, &session, args.decision, &stepped)
}

/// The decision that the command line gives, or the reason to refuse it.
fn given(args: &DecideArgs) -> Result<Decision, Refusal> {
    let message = match args.message.as_deref() {
        Some("-") => Some(message_from(std::io::stdin().lock())?),
        other => other.map(str::to_owned),
    };
    let decision = Decision {
        outcome: args.decision,
        summary: args.summary.clone(),
        message,
        opinions: args.opinions.clone(),
    };
    Ok(decision.checked()?)
}

fn message_from(input: impl Read) -> Result<String, Refusal> {
    let bad = |problem: &str| Refusal::Bad { problem: problem.to_owned() };
    let mut bytes = vec![];
    let read = input.take(MAX_MESSAGE_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| bad(&format!("the message cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_MESSAGE_BYTES {
        return Err(bad("the message is longer than 64 KiB"));
    }
    String::from_utf8(bytes).map_err(|_| bad("the message is not UTF-8"))
}

fn report(
    ui: &mut Ui,
    context: &Context,
    session: &GatedSession,
    outcome: Outcome,
    stepped: &Stepped,
) -> Result<(), CommandError> {
    let (id, gate) = (&session.key.session, stepped.after.phase.name());
    let Say::RefuseDecision(why) = &stepped.say else {
        if ui.output() == Output::Json {
            let taken = json!({ "session": id, "taken": true, "decision": outcome, "gate": gate });
            return Ok(ui.json(&taken)?);
        }
        ui.line(format!("decision recorded: {outcome}, for session {id}"))?;
        return Ok(ui.note(consequence(outcome, &stepped.after))?);
    };
    let message = message::refuse_decision(why, session.reviewer(context)?, &id.word());
    match ui.output() {
        Output::Json => ui.json(&json!({
            "session": id,
            "taken": false,
            "decision": outcome,
            "gate": gate,
            "refusal": why,
            "message": message,
        }))?,
        Output::Text => message.lines().try_for_each(|line| ui.line(line))?,
    }
    if session.keeping() == Keeping::LeftToHook {
        deferred_to_hook::add(ui);
    }
    Err(CommandError::Found)
}

/// Describes the effect of a recorded decision.
fn consequence(outcome: Outcome, after: &Review) -> &'static str {
    match (outcome, &after.phase) {
        (Outcome::Complete, _) => "the agent may stop as long as the work stays as it is",
        (Outcome::Issues, Phase::Idle { .. }) => {
            "no gate required this review, so no stop is refused"
        }
        (Outcome::Issues, _) => "the agent gets the requested changes when it wants to stop",
        (Outcome::Unavailable, Phase::Idle { .. }) => {
            "the agent may stop without a review; the person is told"
        }
        (Outcome::Unavailable, Phase::Approved { .. }) => "the earlier approval still counts",
        (Outcome::Unavailable, _) => "the agent cannot stop until a review can be made",
    }
}
