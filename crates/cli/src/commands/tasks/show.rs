//! `verger tasks show`: shows all details of one task.

use clap::Args;
use serde_json::json;
use verger_chronicle::KeptTask;

use super::{kept, kept_json};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::short_ids::{ambiguous, is_meant_event};
use crate::render::table::Table;
use crate::render::time::local_time;
use crate::sessions::event_summary::shortened;
use verger_store_local::LocalStore;

/// Show everything recorded about one task.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The task: a record's id, its beginning or its last 8 characters.
    task: String,
}

pub(super) fn show(
    ui: &mut Ui,
    context: &Context,
    store: &LocalStore,
    args: &ShowArgs,
) -> Result<(), CommandError> {
    let kept = kept(context, store)?;
    tell_passed_over(ui, store);
    let task = choose(&kept, &args.task)?;
    let of_session = |other: &&KeptTask| other.session == task.session && other.id != task.id;
    let parent = kept
        .iter()
        .filter(of_session)
        .find(|other| task.parent.is_some() && Some(other.number) == task.parent);
    let children: Vec<_> =
        kept.iter().filter(of_session).filter(|other| other.parent == Some(task.number)).collect();
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({
            "task": kept_json(task),
            "parent": parent.map(|parent| parent.id),
            "children": children.iter().map(|child| child.id).collect::<Vec<_>>(),
        }))?);
    }
    let mut table = rows(task);
    for (name, other) in parent
        .map(|parent| ("part of", parent))
        .into_iter()
        .chain(children.into_iter().map(|c| ("has part", c)))
    {
        table.row(name, format!("{}: {}", other.id, shortened(other.query.trim())));
    }
    Ok(table.print(ui)?)
}

fn choose<'a>(kept: &'a [KeptTask], text: &str) -> Result<&'a KeptTask, CommandError> {
    let text = text.trim();
    let any_of = |task: &&KeptTask| {
        [&task.id].into_iter().chain(&task.earlier).any(|id| is_meant_event(*id, text))
    };
    let matching: Vec<_> = kept.iter().filter(any_of).collect();
    match matching[..] {
        [task] => Ok(task),
        [] => Err(CommandError::Usage {
            message: match text {
                "" => "no task is named".to_owned(),
                text => format!("no task of this project has the id {text:?}"),
            },
            hint: match kept.first() {
                Some(latest) => {
                    format!("verger tasks lists all tasks; the latest is {}", latest.id)
                }
                None => "no task of this project has a record yet; verger session list lists the \
                         recorded sessions"
                    .to_owned(),
            },
        }),
        _ => Err(ambiguous(text, matching.iter().map(|task| task.id))),
    }
}

fn rows(task: &KeptTask) -> Table {
    let details = &task.details;
    let mut table = Table::default();
    table.toned_row(Tone::Faint, "task", task.id.to_string());
    table.row("goal", &task.goal);
    if task.query.trim() != task.goal.trim() {
        table.text_rows("asked", &task.query);
    }
    let trigger = Some(&task.trigger).filter(|trigger| **trigger != task.status);
    let trigger = trigger.map(|trigger| format!(", ended by: {trigger}")).unwrap_or_default();
    table.row("status", format!("{}{trigger}", task.status));
    table.toned_row(Tone::Faint, "when", local_time(task.at));
    let who = task.user.as_deref().unwrap_or("-");
    let of = format!("{who}, task {} of session {} of {}", task.number, task.session, task.agent);
    table.row("who", of);
    if let Some(commit) = &task.commit {
        table.row("commit", commit);
    }
    let breaches = match details.breaches {
        0 => String::new(),
        some => format!(", {some} of them broke a limit"),
    };
    table.row("steps", format!("{}{breaches}", count(details.steps, "step")));
    let lists =
        [("forbidden", &details.constraints), ("file", &details.files), ("did", &details.trace)];
    for (name, items) in lists {
        for item in items {
            table.row(name, item);
        }
    }
    for decision in &details.decisions {
        table.row("decided", decision.to_string());
    }
    if !details.tags.is_empty() {
        table.row("tags", details.tags.join(", "));
    }
    table
}
