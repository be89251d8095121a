//! `verger tasks`: the tasks of this project, their authors and their results.

mod show;

use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use verger_chronicle::KeptTask;
use verger_engine::{LeftSessions, State};
use verger_event::Timestamp;
use verger_exec::Deadline;
use verger_gate::drift;
use verger_store_local::{Index, IndexError, LocalStore, OpenTask, SessionRow};

use crate::drift::text::{task_json, task_text};
use crate::invocation::command_error::{CommandError, NoDirectory};
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::listing::{Cell, Listing};
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::progress::Meter;
use crate::render::short_ids::ShortIds;
use crate::render::time::age;
use crate::sessions::event_summary::shortened;
use crate::sessions::task_search::{Question, search};

/// The time limit for recording left work. A later command records the work that is not found in
/// this time.
const LEFT_PATIENCE: Duration = Duration::from_secs(2);

/// List the tasks of this project, the latest first.
///
/// Tasks of all sessions and users of the project are listed. A task is recorded when it is
/// finished. A task that changed something is also recorded when other work begins, the session
/// ends, or nothing happens for six hours. Tasks of live sessions are marked as open.
/// An id is shown by its last characters; `verger tasks show` accepts them.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct TasksArgs {
    #[command(subcommand)]
    command: Option<TasksCommand>,

    /// How many; 0 for all.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
}

#[derive(Debug, Subcommand)]
enum TasksCommand {
    Show(show::ShowArgs),
    Search(SearchArgs),
}

/// Find tasks by words of their goal, files and decisions.
///
/// The best match comes first.
#[derive(Debug, Args)]
struct SearchArgs {
    /// The words to look for.
    #[arg(required = true)]
    words: Vec<String>,

    /// How many; 0 for all.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
}

pub(crate) fn tasks(ui: &mut Ui, context: &Context, args: &TasksArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let home = context.home()?;
    // This fails in a process that can't write, as in a sandbox. Then the existing records are
    // listed.
    drop(record_left(&context.left_sessions(&home, &store), &store));
    match &args.command {
        None => list(ui, context, &store, args.limit),
        Some(TasksCommand::Show(args)) => show::show(ui, context, &store, args),
        Some(TasksCommand::Search(args)) => find(ui, context, &store, args),
    }
}

/// Records the tasks of sessions that were left without a record. These sessions have had no events
/// for a while.
fn record_left(
    left: &LeftSessions<'_, LocalStore>,
    store: &LocalStore,
) -> Result<(), CommandError> {
    let since = left.heard_before();
    let rows = Index::current::<State, _>(store, |index| index.maybe_left(since))?;
    let sessions = rows.into_iter().filter_map(|row| Some((row.key()?, row)));
    let mut settled = vec![];
    let deadline = Deadline::after(LEFT_PATIENCE);
    left.record_these(sessions, deadline, &mut |row| settled.push(row));
    Ok(Index::with(store, |index| settled.iter().try_for_each(|row| index.settle_left(row)))?)
}

/// The tasks of this project that have a record.
fn kept(context: &Context, store: &LocalStore) -> Result<Vec<KeptTask>, CommandError> {
    let project = context.project_id().ok_or(NoDirectory)?;
    Ok(Index::with(store, |index| index.tasks(&project))?)
}

fn list(
    ui: &mut Ui,
    context: &Context,
    store: &LocalStore,
    limit: usize,
) -> Result<(), CommandError> {
    let open = open_tasks(ui, context, store)?;
    let project = context.project_id().ok_or(NoDirectory)?;
    let limit = if limit == 0 { usize::MAX } else { limit };
    // A task that continues after its record counts once, as open.
    let (mut kept, closed) = Index::with(store, |index| {
        let kept = index.latest_tasks(&project, limit.saturating_add(open.len()))?;
        let mut closed = index.count_tasks(&project)?;
        for (row, open) in &open {
            let task = (row.agent.as_str(), row.session.as_str(), open.task.number);
            closed -= usize::from(index.has_task(&project, task)?);
        }
        Ok(kept).map(|kept| (kept, closed))
    })?;
    kept.retain(|kept| !open.iter().any(|open| is_same(open, kept)));
    kept.truncate(limit);
    tell_passed_over(ui, store);
    let left_out = closed.saturating_sub(kept.len());
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({
            "open": open.iter().map(open_json).collect::<Vec<_>>(),
            "tasks": kept.iter().map(kept_json).collect::<Vec<_>>(),
            "more": left_out,
        }))?);
    }
    if open.is_empty() && kept.is_empty() {
        ui.line("no task of this project has a record yet")?;
        let loaded = context.settings(&context.home()?);
        return Ok(ui.note(if loaded.settings.drift.mode.value == drift::Mode::Off {
            "no task is recorded while drift.mode is \"off\"; verger config set drift.mode observe turns it on"
        } else {
            "a task is recorded when an agent that changed something finishes, begins other work or \
             ends; verger session list lists the recorded sessions"
        })?);
    }
    let now = context.clock.now();
    let short = ShortIds::of_sessions(open.iter().map(|(row, _)| row.session.as_str()));
    let mut listing = Listing::default();
    for (row, OpenTask { task, .. }) in &open {
        let session = short.of(&row.session);
        listing.row([
            Cell::faint(age(task.last, now)),
            Cell::text("open"),
            Cell::faint(format!("{session}, task {}", task_text(task))),
            Cell::text(shortened(task.goal.trim())),
        ]);
    }
    kept_rows(&mut listing, &kept, now);
    listing.print(ui)?;
    if left_out > 0 {
        ui.line(format!("{left_out} more: verger tasks --limit 0"))?;
    }
    Ok(())
}

/// The tasks that live sessions of this project work on.
fn open_tasks(
    ui: &Ui,
    context: &Context,
    store: &LocalStore,
) -> Result<Vec<(SessionRow, OpenTask)>, CommandError> {
    let project = context.project_id().ok_or(NoDirectory)?;
    let now = context.clock.now();
    let mut meter = Meter::new(ui, "reading session");
    Ok(Index::current::<State, _>(store, |index| {
        let rows = index.live_sessions(&project, now)?;
        let stems: Vec<_> = rows.iter().map(|row| row.stem.clone()).collect();
        index.refresh_drift(&stems, &mut |at| meter.update(at.done, at.total))?;
        let of = |open: OpenTask| {
            let row = rows.iter().find(|row| row.stem == open.stem)?;
            Some((row.clone(), open))
        };
        Ok::<_, IndexError>(index.open_tasks(&stems)?.into_iter().filter_map(of).collect())
    })?)
}

fn is_same((row, open): &(SessionRow, OpenTask), kept: &KeptTask) -> bool {
    row.agent == kept.agent && row.session == kept.session && open.task.number == kept.number
}

fn find(
    ui: &mut Ui,
    context: &Context,
    store: &LocalStore,
    args: &SearchArgs,
) -> Result<(), CommandError> {
    let text = args.words.join(" ");
    let question = Question::of(&text).ok_or_else(|| CommandError::Usage {
        message: format!("{text:?} has no word to search for"),
        hint: "name a file, a function or a word of the goal; verger tasks lists all".to_owned(),
    })?;
    let kept = kept(context, store)?;
    tell_passed_over(ui, store);
    let total = kept.len();
    let mut found = search(kept, &question);
    if args.limit > 0 {
        found.truncate(args.limit);
    }
    if ui.output() == Output::Json {
        let found: Vec<_> = found.iter().map(kept_json).collect();
        return Ok(ui.json(&json!({ "tasks": found }))?);
    }
    if found.is_empty() {
        let tasks = count(total, "task");
        ui.line(format!("none of {tasks} of this project matches {text:?}"))?;
        return Ok(ui.note("verger tasks lists all tasks")?);
    }
    let mut listing = Listing::default();
    kept_rows(&mut listing, &found, context.clock.now());
    Ok(listing.print(ui)?)
}

fn kept_rows(listing: &mut Listing, tasks: &[KeptTask], now: Timestamp) {
    let short = ShortIds::of_records(tasks.iter().map(|task| task.id));
    for task in tasks {
        // A task that was requested along with other work is described by its own query.
        let goal = if task.parent.is_some() { &task.query } else { &task.goal };
        let goal = shortened(goal.trim());
        let files = match task.details.files.len() {
            0 => String::new(),
            some => format!(" ({})", count(some, "file")),
        };
        let tone = if task.status == "complete" { Tone::Good } else { Tone::Warn };
        listing.row([
            Cell::faint(age(task.at, now)),
            Cell::toned(tone, task.status.as_str()),
            Cell::faint(short.of(&task.id.to_string())),
            Cell::text(format!("{goal}{files}")),
        ]);
    }
}

fn open_json((row, open): &(SessionRow, OpenTask)) -> Value {
    json!({ "session": row.session, "user": row.user, "task": task_json(&open.task) })
}

pub(super) fn kept_json(task: &KeptTask) -> Value {
    json!({
        "id": task.id,
        "at_ms": task.at.as_millis(),
        "agent": task.agent,
        "session": task.session,
        "user": task.user,
        "number": task.number,
        "parent": task.parent,
        "status": task.status,
        "trigger": task.trigger,
        "query": task.query,
        "goal": task.goal,
        "commit": task.commit,
        "details": task.details,
    })
}
