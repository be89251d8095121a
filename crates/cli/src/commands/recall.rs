//! `verger recall`: the learnings that a session would get with a prompt, and the reasons why the
//! others are left out.

use std::path::Path;

use clap::Args;
use serde_json::{Value, json};
use verger_drift::shelf::Offer;
use verger_engine::{Found, LeftOut, Log, Preview, PreviewOf, Previewed, Selection};
use verger_event::Session;
use verger_library::Weighed;
use verger_store::with_causes;

use crate::install::agents_here_or_all;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::learning::project::ProjectLearnings;
use crate::learning::search::scores_json;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;
use crate::sessions::gated::GatedSession;
use crate::sessions::picker::{Meant, meant};

/// The maximum number of left-out learnings to list.
const MAX_LEFT_OUT: usize = 10;

/// Show which learnings a prompt would bring up, and why.
///
/// Also shows earlier tasks, and which learnings are left out and why. The result is the same as
/// for an agent's prompt: it depends on the learnings that the session already got, its ticket, its
/// branch and the files that it touched. Without a session, the prompt counts as the first one of a
/// new session. Nothing is recorded.
#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// The prompt that the agent would be given.
    #[arg(required = true)]
    prompt: Vec<String>,

    /// The session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,
}

pub(crate) fn recall(
    ui: &mut Ui,
    context: &Context,
    args: &RecallArgs,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let session = match meant(&store, context, args.session.as_deref())? {
        Meant::One(segment) => Some(GatedSession::look_up(context, &store, &segment)?),
        // If no session or several are meant, a new session is assumed, because a new session gets
        // at least as many learnings as any other.
        Meant::None | Meant::Several(_) => None,
    };
    tell_passed_over(ui, &store);
    let project_learnings = match &session {
        Some(session) => ProjectLearnings::of_session(context, session)?,
        None => ProjectLearnings::here(ui, context)?,
    };
    let spec = session.as_ref().and_then(|one| verger_agent::by_name(one.key.agent.as_str()));
    // Any installed agent may begin the next session.
    let agents = spec.map_or_else(|| agents_here_or_all(context), |spec| Ok(vec![spec]))?;
    let settings = &project_learnings.loaded.settings;
    let (directory, project, user) = match &session {
        Some(GatedSession { state, .. }) => {
            let Session { cwd, project, user, .. } = &state.session;
            (cwd.as_deref().map(Path::new), project.clone(), user.clone())
        }
        None => (None, context.project_id(), context.user(settings)),
    };
    let preview = Preview {
        home: &context.home()?,
        settings,
        environment: &context.environment,
        root: project_learnings.ground.root.clone(),
        directory: directory.map_or_else(|| context.directory(), Ok)?,
        max_chars: agents.iter().map(|one| one.context_limit_chars).min().unwrap_or_default(),
        now: context.clock.now(),
        log: project.as_ref().map(|project| Log { store: &store, project }),
        user: user.as_deref(),
    };
    let of = match &session {
        Some(session) => PreviewOf::Session { key: &session.key, state: &session.state },
        None => PreviewOf::New,
    };
    let previewed = preview.with(&args.prompt.join(" "), of)?;
    if let Previewed::Found(found) = &previewed
        && let Err(error) = &found.tasks
    {
        let causes = with_causes(error);
        ui.warn(&format!(
            "cannot look for earlier tasks: {causes}; verger doctor shows what is wrong"
        ));
    }
    let named = session.as_ref().map(|session| session.key.session.word());
    match ui.output() {
        Output::Json => Ok(ui.json(&to_json(named.as_deref(), &previewed))?),
        Output::Text => print(ui, named.as_deref(), &previewed),
    }
}

fn print(ui: &mut Ui, session: Option<&str>, previewed: &Previewed) -> Result<(), CommandError> {
    let found = match previewed {
        Previewed::Off => {
            ui.line("the agent would be given nothing: recall is off")?;
            return Ok(ui.note("verger config set recall.enabled true turns it on")?);
        }
        Previewed::TooShort => {
            ui.line("the agent would be given nothing: the prompt is too short")?;
            return Ok(ui.note("verger learn search finds learnings by any word")?);
        }
        Previewed::Found(found) => found,
    };
    if found.is_behind {
        ui.warn("the index is out of date; verger learn archive --unused updates it");
    }
    let text = found.text();
    let whom = session.map_or_else(|| "a new session".to_owned(), |id| format!("session {id}"));
    match &found.learnings {
        Some(learnings) => ui.note(format!("for {whom}, search words: {}", learnings.asked))?,
        None if text.is_some() => ui.note(format!("for {whom}; there are no learnings"))?,
        None => {}
    }
    match (&text, &found.learnings) {
        (Some(text), _) => text.lines().try_for_each(|line| ui.line(line))?,
        (None, Some(_)) => ui.line("the agent would be given nothing")?,
        (None, None) => {
            ui.line("the agent would be given nothing: no learning is kept")?;
            ui.note("verger doctor learnings shows where learnings are kept")?;
        }
    }
    reasons(found).print(ui)?;
    let left_out = found.learnings.as_ref().map_or(0, |learnings| learnings.left_out.len());
    if let Some(more) = left_out.checked_sub(MAX_LEFT_OUT + 1) {
        ui.line(format!("{} more are left out: --json shows them", more + 1))?;
    }
    Ok(())
}

/// The reasons why tasks are offered, and why tasks and learnings are left out.
fn reasons(found: &Found) -> Table {
    let mut table = Table::default();
    if let Ok(tasks) = &found.tasks {
        for Offer { task, common } in &tasks.given {
            table.row(task.record.to_string(), format!("in common: {}", common.join(" ")));
        }
        for (why, Offer { task, .. }) in &tasks.left_out {
            let why = format!("left out, {}: {}", reason(*why), task.goal);
            table.row(task.record.to_string(), why);
        }
    }
    let left_out = found.learnings.iter().flat_map(|learnings| &learnings.left_out);
    for (why, one) in left_out.take(MAX_LEFT_OUT) {
        let learning = &one.filed.learning;
        table
            .row(learning.id.as_str(), format!("left out, {}: {}", reason(*why), learning.summary));
    }
    table
}

fn reason(why: LeftOut) -> &'static str {
    match why {
        LeftOut::GivenBefore => "given before",
        LeftOut::HardlyFits => "hardly fits",
        LeftOut::BehindOthers => "ranked below others",
        LeftOut::NoRoom => "no room within recall.budget_tokens",
    }
}

fn reason_word(why: LeftOut) -> &'static str {
    match why {
        LeftOut::GivenBefore => "given_before",
        LeftOut::HardlyFits => "hardly_fits",
        LeftOut::BehindOthers => "behind_others",
        LeftOut::NoRoom => "no_room",
    }
}

fn to_json(session: Option<&str>, previewed: &Previewed) -> Value {
    let nothing = |why: &str| {
        json!({
            "session": session,
            "given": [],
            "left_out": [],
            "tasks": [],
            "tasks_left_out": [],
            "text": null,
            "because": why,
        })
    };
    let found = match previewed {
        Previewed::Off => return nothing("off"),
        Previewed::TooShort => return nothing("too_short"),
        Previewed::Found(found) => found,
    };
    let mut value = match &found.learnings {
        None => nothing("nothing_kept"),
        Some(Selection { asked, given, left_out, .. }) => json!({
            "session": session,
            "asked": asked,
            "given": given.iter().map(learning_json).collect::<Vec<_>>(),
            "left_out": left_out_json(left_out, learning_json),
            "is_behind": found.is_behind,
        }),
    };
    let tasks = found.tasks.as_ref().ok();
    value["tasks"] =
        tasks.map(|tasks| tasks.given.iter().map(task_json).collect::<Vec<_>>()).into();
    value["tasks_left_out"] = tasks.map(|tasks| left_out_json(&tasks.left_out, task_json)).into();
    value["text"] = found.text().into();
    value
}

fn left_out_json<T>(left_out: &[(LeftOut, T)], one: impl Fn(&T) -> Value) -> Value {
    let values = left_out.iter().map(|(why, left)| {
        let mut value = one(left);
        value["because"] = reason_word(*why).into();
        value
    });
    values.collect()
}

fn learning_json(one: &Weighed) -> Value {
    let learning = &one.filed.learning;
    json!({
        "learning": learning.id.as_str(),
        "summary": learning.summary,
        "scores": scores_json(&one.merits),
    })
}

fn task_json(Offer { task, common }: &Offer) -> Value {
    json!({ "task": task.record.to_string(), "goal": task.goal, "in_common": common })
}
