//! `verger guard allow-once`: a person allows one call that the guard denied or asked about.

use std::collections::HashMap;

use clap::Args;
use serde_json::json;
use verger_engine::Release;
use verger_event::GuardMode;
use verger_event::{Event, Sent, ToolCall};
use verger_gate::permission::release::{RELEASE_MS, released};
use verger_store::{SegmentName, Store};

use crate::guard::local::{Assumed, LocalGuard};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui};
use crate::sessions::event_picker::each_record;
use crate::sessions::gated::GatedSession;
use crate::sessions::picker::meant;

/// Let an agent run one command that the guard stopped.
///
/// The command has to be exactly the agent's. Without one, this allows the last call that the guard
/// denied or asked about in the session. It may run once, within ten minutes. Commands that a rule
/// of the floor denies cannot be allowed.
#[derive(Debug, Args)]
pub(crate) struct AllowOnceArgs {
    /// The command line, as one argument.
    command: Option<String>,

    /// The session's id or its beginning; default: the only live session of this project.
    #[arg(long)]
    session: Option<String>,
}

pub(super) fn allow_once(
    ui: &mut Ui,
    context: &Context,
    args: &AllowOnceArgs,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = meant(&store, context, args.session.as_deref())?.required()?;
    let session = GatedSession::look_up(context, &store, &segment)?;
    let call = match &args.command {
        Some(line) => ToolCall::shell(line),
        None => last_held(&store, &segment)?.ok_or_else(|| CommandError::Usage {
            message: format!("the guard stopped no call in session {}", session.key.session),
            hint: "verger guard allow-once \"COMMAND\"".to_owned(),
        })?,
    };
    if let Some(line) = call.shell_line() {
        refuse_floor(context, line)?;
    }
    let now = context.clock.now();
    session.record(context, &store, &[], |_| (vec![released(&call, now)], ()))?;
    tell_passed_over(ui, &store);
    let what = call.shell_line().map_or_else(|| call.tool.clone(), str::to_owned);
    if ui.output() == Output::Json {
        let until = now.as_millis().saturating_add(RELEASE_MS);
        let id = &session.key.session;
        return Ok(ui.json(&json!({ "session": id, "call": what, "until_ms": until }))?);
    }
    ui.line(format!("allowed once, within ten minutes: {what}"))?;
    Ok(ui.note(match session.loaded.settings.guard.mode.value {
        GuardMode::Enforce => "tell the agent to run the command again",
        GuardMode::Observe | GuardMode::Off => {
            "guard.mode is not enforce here, so the guard stops no call"
        }
    })?)
}

/// The last call of the session that the guard denied or asked about.
fn last_held(store: &impl Store, segment: &SegmentName) -> Result<Option<ToolCall>, CommandError> {
    let mut calls = HashMap::new();
    let mut last = None;
    each_record(store, segment, &mut |record| match record.draft.event {
        Event::ToolRequested(call) | Event::PermissionAsked { call, .. } => {
            calls.insert(record.draft.id, call);
        }
        Event::GuardJudged { on, sent: Sent::Deny | Sent::Ask, .. } => {
            last = calls.get(&on).cloned().or(last.take());
        }
        _ => {}
    })?;
    Ok(last)
}

fn refuse_floor(context: &Context, line: &str) -> Result<(), CommandError> {
    let local_guard = LocalGuard::here(context, Assumed::Trusted)?;
    let judged = local_guard.judge(line);
    if judged.release == Release::Possible {
        return Ok(());
    }
    let judgement = &judged.judgement;
    let (why, rule) = (&judgement.decided.why, &judgement.decided.rule);
    Err(CommandError::Usage {
        message: format!("this command cannot be allowed: {why} (rule {rule})"),
        hint: "you can run the command yourself in a terminal".to_owned(),
    })
}
