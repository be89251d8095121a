//! `verger learn show`: shows everything that is stored about one learning.

use clap::Args;
use verger_event::Timestamp;
use verger_library::Suspects;
use verger_memory::stats::Account;
use verger_memory::{Learning, LearningId};

use super::list::Listed;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::learning::ids::learning_ids;
use crate::learning::known::{KnownLearning, KnownLearnings, usage_text};
use crate::learning::project::ProjectLearnings;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;
use crate::render::time::{age, local_time};

/// Show everything recorded about one learning.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Its id, its beginning or its last 8 characters, as `verger learn list` shows them.
    id: String,
}

pub(super) fn show(ui: &mut Ui, context: &Context, args: &ShowArgs) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    let held = find(context, &project_learnings, &args.id)?;
    let suspects = Suspects::read(&project_learnings.index(context)?);
    let now = context.clock.now();
    let listed = Listed::of(&held, &project_learnings, &suspects, now);
    match ui.output() {
        Output::Json => ui.json(&listed.to_json())?,
        Output::Text => rows(context, &held, &listed, now).print(ui)?,
    }
    Ok(())
}

/// Finds the learning, even if only the archive of another place contains it.
fn find(
    context: &Context,
    project_learnings: &ProjectLearnings,
    typed: &str,
) -> Result<KnownLearning, CommandError> {
    let in_use = KnownLearnings::read(&project_learnings.project);
    let library = project_learnings.with_archives(context);
    let in_archives = KnownLearnings::read_with_archives(&project_learnings.project, &library);
    let ids = learning_ids(&[typed.to_owned()], in_use.ids().chain(in_archives.ids()))?;
    let held = ids.iter().find_map(|id| in_use.find(id).or_else(|| in_archives.find(id)));
    held.cloned().ok_or_else(|| CommandError::Usage {
        message: format!("no learning {typed} is kept here"),
        hint: "verger learn list --status all shows all learnings".to_owned(),
    })
}

fn rows(context: &Context, held: &KnownLearning, listed: &Listed<'_>, now: Timestamp) -> Table {
    let KnownLearning { account: Account { learning, usage, .. }, place } = held;
    let Learning { id, category, scope, confidence, created, provenance, .. } = learning;
    let mut table = Table::default();
    table.row("learning", id.as_str());
    table.row("summary", &learning.summary);
    table.text_rows("detail", &learning.detail);
    table.row("category", category.as_str());
    table.row("scope", scope.as_str());
    table.row("confidence", confidence.as_str());
    let criteria: Vec<_> = learning.criteria.iter().map(|criterion| criterion.as_str()).collect();
    let supersedes: Vec<_> = learning.supersedes.iter().map(LearningId::as_str).collect();
    for (name, list) in [
        ("kept because", criteria.join(", ")),
        ("tags", learning.tags.join(", ")),
        ("files", learning.files.join(", ")),
        ("symbols", learning.symbols.join(", ")),
        ("replaces", supersedes.join(", ")),
        ("session", provenance.session.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("ticket", provenance.ticket.clone().unwrap_or_default()),
        ("commit", provenance.commit.clone().unwrap_or_default()),
    ] {
        if !list.is_empty() {
            table.row(name, list);
        }
    }
    table.row("made", format!("{}, {}", local_time(*created), age(*created, now)));
    table.row("use", format!("{}{}", usage_text(usage), listed.standing()));
    let path = context.with_tilde(&place.path.display().to_string());
    table.row("kept in", format!("{path}:{}", place.line));
    table
}
