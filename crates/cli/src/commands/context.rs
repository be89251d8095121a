//! `verger context`: the facts that a reviewer needs about a session's task.

use clap::Args;
use serde_json::{Value, json};
use verger_gate::Excerpt;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::learning::text::{self as learning_text, learning_json};
use crate::render::output::{Output, Ui};
use crate::render::table::Table;
use crate::render::time::local_time;
use crate::review::assignment::{Assignment, Found, Prompt, WaitingCall};
use crate::review::text::{review_json, standing};
use crate::review::work_summary::WorkSummary;
use crate::sessions::gated::GatedSession;
use crate::sessions::picker::meant;

/// Show the facts that a reviewer needs about a session's task.
///
/// The output has the person's request, the reason for the review, the findings of earlier reviews
/// and the changed files. Texts longer than 10 KiB are cut; the size and SHA-256 of the whole text
/// are shown.
#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    /// The session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,
}

pub(crate) fn context(
    ui: &mut Ui,
    context: &Context,
    args: &ContextArgs,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segment = meant(&store, context, args.session.as_deref())?.required()?;
    let session = GatedSession::look_up(context, &store, &segment)?;
    let assignment = Assignment::read(&store, &segment)?;
    let amount = session.amount(&session.facts(context, &store)?);
    let work = WorkSummary::of(&session.state.work, amount);
    tell_passed_over(ui, &store);
    let told = Told { session, assignment, work };
    match ui.output() {
        Output::Json => ui.json(&told.to_json())?,
        Output::Text => told.table(context).print(ui)?,
    }
    Ok(())
}

struct Told {
    session: GatedSession,
    assignment: Assignment,
    work: WorkSummary,
}

impl Told {
    fn table(&self, context: &Context) -> Table {
        let Assignment { state, prompts, call, findings } = &self.assignment;
        let key = &self.session.key;
        let mut table = Table::default();
        table.row("session", format!("{} of {}", key.session, key.agent));
        table.row("directory", state.session.cwd.as_deref().unwrap_or("-"));
        let standing = standing(&state.review, context.clock.now());
        let gate = standing.map(|text| format!(": {text}")).unwrap_or_default();
        table.row("review gate", format!("{}{gate}", state.review.phase.name()));
        let standing = learning_text::standing(&state.learning, context.clock.now());
        let gate = standing.map(|text| format!(": {text}")).unwrap_or_default();
        table.row("learning gate", format!("{}{gate}", state.learning.phase.name()));
        for (number, Prompt { at, text }) in (1..).zip(prompts) {
            table.row(format!("prompt {number}"), format!("given {}", local_time(*at)));
            excerpt_rows(&mut table, text);
        }
        if prompts.is_empty() {
            table.row("prompts", "none recorded");
        }
        if let Some(WaitingCall { call, input }) = call {
            table.row("waits", format!("{}, which fits `{}`", call.tool, call.pattern));
            if let Some(input) = input {
                excerpt_rows(&mut table, input);
            }
        }
        for Found { at, outcome, summary, message } in findings {
            table.text_rows("earlier", &format!("{outcome}, {}: {summary}", local_time(*at)));
            if let Some(message) = message {
                excerpt_rows(&mut table, message);
            }
        }
        self.work.rows(&mut table);
        table
    }

    fn to_json(&self) -> Value {
        let Assignment { state, prompts, call, findings } = &self.assignment;
        let prompts =
            prompts.iter().map(|Prompt { at, text }| json!({ "at_ms": at, "text": text }));
        let findings = findings.iter().map(|Found { at, outcome, summary, message }| {
            json!({ "at_ms": at, "decision": outcome, "summary": summary, "message": message })
        });
        let call = call.as_ref().map(|WaitingCall { call, input }| {
            json!({
                "event": call.on, "tool": call.tool, "pattern": call.pattern, "input": input,
            })
        });
        json!({
            "agent": self.session.key.agent.as_str(),
            "session": self.session.key.session,
            "cwd": state.session.cwd,
            "task": state.session.current_task(),
            "review": review_json(&state.review, None),
            "learning": learning_json(&state.learning, None),
            "prompts": prompts.collect::<Vec<_>>(),
            "call": call,
            "findings": findings.collect::<Vec<_>>(),
            "work": self.work.to_json(),
        })
    }
}

/// Adds the lines of an excerpt, and the number of omitted bytes.
fn excerpt_rows(table: &mut Table, text: &Excerpt) {
    for line in text.text.lines() {
        table.row("", line);
    }
    if let left_out @ 1.. = text.left_out_bytes() {
        let Excerpt { bytes, sha256, .. } = text;
        let cut =
            format!("{left_out} of {bytes} bytes left out, SHA-256 of the whole text {sha256}");
        table.row("  cut", cut);
    }
}
