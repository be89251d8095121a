//! `verger session list`: lists the recorded sessions.

use clap::Args;
use serde_json::{Value, json};
use verger_engine::State;
use verger_store_local::{Index, SessionRow};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::listing::{Cell, Listing};
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::short_ids::ShortIds;
use crate::render::time::age_of;
use crate::sessions::needs_you::{entries_json, gates};

/// List recorded sessions, the latest first.
///
/// Ids are shortened to what tells them apart here; commands accept any beginning of an id that only
/// one session has. `--json` has whole ids.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// How many; 0 for all.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
}

pub(super) fn list(ui: &mut Ui, context: &Context, args: &ListArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    // Reads one row more than is shown, to know whether there are more. Counting 100,000 sessions
    // takes longer than listing 20.
    let mut rows =
        Index::current::<State, _>(&store, |index| index.latest_sessions(limit.saturating_add(1)))?;
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    tell_passed_over(ui, &store);
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({ "sessions": rows.iter().map(row_json).collect::<Vec<_>>() }))?);
    }
    if rows.is_empty() {
        return Ok(ui.line("no sessions were recorded yet")?);
    }
    let short = ShortIds::of_sessions(rows.iter().map(|row| row.session.as_str()));
    let now = context.clock.now();
    let mut listing = Listing::default();
    for row in &rows {
        listing.row([
            Cell::faint(age_of(row.last_ms, now)),
            Cell::text(row.agent.as_str()),
            Cell::faint(short.of(&row.session)),
            state_cell(row),
            Cell::path(context.with_tilde(row.cwd.as_deref().unwrap_or("-"))),
        ]);
    }
    listing.print(ui)?;
    if has_more {
        ui.line("there are more: verger session list --limit 0")?;
    }
    Ok(())
}

fn state_cell(row: &SessionRow) -> Cell {
    let state =
        row.ended.as_ref().map_or_else(|| "open".to_owned(), |why| format!("ended ({why})"));
    let warnings = match row.warnings {
        0 => String::new(),
        some => format!(", {}", count(some, "warning")),
    };
    let let_go = gates(row)
        .map(|gates| format!(", released by an unsatisfied gate: {gates}"))
        .unwrap_or_default();
    let tone = if row.warnings > 0 || !let_go.is_empty() { Tone::Warn } else { Tone::Plain };
    Cell::toned(tone, format!("{}, {state}{warnings}{let_go}", count(row.events, "event")))
}

fn row_json(row: &SessionRow) -> Value {
    json!({
        "agent": row.agent,
        "session": row.session,
        "project": row.project,
        "user": row.user,
        "agent_version": row.agent_version,
        "cwd": row.cwd,
        "ended": row.ended,
        "first_ms": row.first_ms,
        "last_ms": row.last_ms,
        "events": row.events,
        "warnings": row.warnings,
        "let_go": entries_json(row),
    })
}
