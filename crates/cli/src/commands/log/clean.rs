//! `verger log clean`: removes old sessions. Records that must outlive them stay in the project's
//! log.

use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use verger_engine::{LeftSessions, State};
use verger_event::{SessionKey, Timestamp};
use verger_store::{ReadLog, RemoveError, Retention, with_causes};
use verger_store_local::{Blobs, Index, LocalStore, SessionRow};

use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::invocation::point_in_time;
use crate::render::listing::{Cell, Listing};
use crate::render::output::{Answer, Output, Ui, count};
use crate::render::progress::{Meter, Step};
use crate::render::short_ids::ShortIds;
use crate::render::time::age_of;
use crate::sessions::event_picker::each_record;
use crate::sessions::picker::choose;

/// Remove old sessions, or one session.
///
/// Sessions that may still continue stay. Records that must outlive their session are in the
/// project's log and stay too. Payloads that no record names any more are removed.
#[derive(Debug, Args)]
pub(crate) struct CleanArgs {
    /// Remove sessions whose last event is this old (12h, 30d, 2w) or before a day (2026-01-31).
    #[arg(long, value_name = "WHEN")]
    before: Option<String>,

    /// Only this session: its id, or the beginning of it.
    #[arg(long, value_name = "ID", conflicts_with = "before")]
    session: Option<String>,

    /// Show what would be removed; change nothing.
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    consent: Consent,
}

pub(super) fn clean(ui: &mut Ui, context: &Context, args: &CleanArgs) -> Result<(), CommandError> {
    let now = context.clock.now();
    let store = context.open_store(ui)?;
    let (plan, before) = match (&args.session, &args.before) {
        (Some(session), _) => (one_session(&store, session, now)?, after(now)),
        (None, Some(before)) => {
            let before = point_in_time::parse(before, now, &TimeZone::system())?;
            (Plan::of(Index::list::<State>(&store)?, before, now), before)
        }
        (None, None) => {
            return Err(CommandError::Usage {
                message: "no sessions were chosen: give --before or --session".to_owned(),
                hint: "verger log clean --before 30d --dry-run shows what would be removed"
                    .to_owned(),
            });
        }
    };
    tell_passed_over(ui, &store);
    let step = Step::new(ui, "looking for payloads that no record names");
    let payloads = store.unnamed_blobs(&plan.stems(), now);
    drop(step);
    let payloads = payloads.unwrap_or_else(|error| {
        ui.warn(&format!("payloads are kept, because verger cannot {}", with_causes(&error)));
        Blobs::default()
    });
    show(ui, &plan, payloads, now)?;
    if args.session.is_some() {
        show_what_stays(ui, &store, &plan)?;
    }
    if args.dry_run || (plan.going.is_empty() && payloads.count == 0) {
        if ui.output() == Output::Json {
            ui.json(&report(&plan, before, &Done::nothing(), payloads))?;
        }
        return Ok(());
    }
    if ui.confirm(args.consent, "remove them for good?")? == Answer::No {
        if ui.output() == Output::Json {
            ui.json(&report(&plan, before, &Done::nothing(), Blobs::default()))?;
        }
        ui.note("nothing was removed")?;
        return Err(CommandError::Found);
    }
    let home = context.home()?;
    let left = context.left_sessions(&home, &store);
    let done = carry_out(ui, &left, &plan, before, now)?;
    tell_passed_over(ui, &store);
    if ui.output() == Output::Json {
        ui.json(&report(&plan, before, &done, done.payloads))?;
    } else {
        ui.note(format!(
            "removed {} and {}",
            count(done.removed.len() as u64, "session"),
            count(done.payloads.count, "payload")
        ))?;
    }
    if done.kept.is_empty() { Ok(()) } else { Err(CommandError::Found) }
}

/// The plan for one session. Fails if the session has not ended.
fn one_session(store: &LocalStore, given: &str, now: Timestamp) -> Result<Plan, CommandError> {
    let segment = choose(store, given)?;
    let row = Index::list::<State>(store)?.into_iter().find(|row| row.segment() == segment);
    let row = row.ok_or_else(|| CommandError::Usage {
        message: format!("no record of session {given} can be read, so it is not removed"),
        hint: "verger log verify shows what is wrong with the log".to_owned(),
    })?;
    if row.is_live(now) {
        return Err(CommandError::Usage {
            message: format!("session {} may still continue", row.session),
            hint:
                "end the session in its agent; a session without an end counts as ended after a day"
                    .to_owned(),
        });
    }
    Ok(Plan { going: vec![row], ..Plan::default() })
}

/// One millisecond after `now`, so that everything until now is before it.
fn after(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.as_millis().saturating_add(1))
}

/// The records that outlive the sessions, by kind.
fn show_what_stays(ui: &mut Ui, store: &LocalStore, plan: &Plan) -> Result<(), CommandError> {
    let mut staying: BTreeMap<String, u64> = BTreeMap::new();
    for row in &plan.going {
        each_record(store, &row.segment(), &mut |record| {
            if record.draft.event.is_durable() {
                *staying.entry(record.draft.event.kind().to_owned()).or_default() += 1;
            }
        })?;
    }
    let kinds: Vec<_> = staying.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
    Ok(ui.note(if kinds.is_empty() {
        "kept: learnings and undo points; all records of the session are removed".to_owned()
    } else {
        let kinds = kinds.join(", ");
        format!("kept: {kinds} in the project's log, and learnings and undo points")
    })?)
}

/// The sessions to remove and the sessions to keep. Making a plan changes nothing.
#[derive(Debug, Default, PartialEq, Eq)]
struct Plan {
    /// The sessions to remove, oldest first.
    going: Vec<SessionRow>,
    /// The number of sessions that are old enough but may still be live.
    live: u64,
    /// The number of sessions whose events have no time.
    timeless: u64,
}

impl Plan {
    fn of(rows: Vec<SessionRow>, before: Timestamp, now: Timestamp) -> Self {
        let mut plan = Self::default();
        for row in rows {
            match row.last_ms.and_then(|millis| u64::try_from(millis).ok()) {
                None => plan.timeless += 1,
                Some(last) if Timestamp::from_millis(last) >= before => {}
                Some(_) if row.is_live(now) => plan.live += 1,
                Some(_) => plan.going.push(row),
            }
        }
        plan.going.sort_by_key(|row| (row.last_ms, row.stem.clone()));
        plan
    }

    fn stems(&self) -> BTreeSet<String> {
        self.going.iter().map(|row| row.stem.clone()).collect()
    }

    fn bytes(&self) -> u64 {
        self.going.iter().map(|row| u64::try_from(row.bytes).unwrap_or_default()).sum()
    }
}

struct Done {
    /// The names of the segments that were removed.
    removed: BTreeSet<String>,
    kept: Vec<(SessionRow, String)>,
    payloads: Blobs,
}

impl Done {
    fn nothing() -> Self {
        Self { removed: BTreeSet::new(), kept: vec![], payloads: Blobs::default() }
    }
}

fn show(ui: &mut Ui, plan: &Plan, payloads: Blobs, now: Timestamp) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        return Ok(());
    }
    if ui.has_notes() {
        let short = ShortIds::of_sessions(plan.going.iter().map(|row| row.session.as_str()));
        let mut listing = Listing::default();
        for row in &plan.going {
            listing.row([
                Cell::faint(age_of(row.last_ms, now)),
                Cell::text(row.agent.as_str()),
                Cell::faint(short.of(&row.session)),
                Cell::text(size(u64::try_from(row.bytes).unwrap_or_default())),
            ]);
        }
        listing.print(ui)?;
    }
    ui.line(if plan.going.is_empty() && payloads.count == 0 {
        "no session is old enough to remove".to_owned()
    } else {
        format!(
            "to remove: {} ({}) and {} that no other session uses ({})",
            count(plan.going.len() as u64, "session"),
            size(plan.bytes()),
            count(payloads.count, "payload"),
            size(payloads.bytes),
        )
    })?;
    if plan.live > 0 {
        ui.note(format!("kept: {} that may still continue", count(plan.live, "session")))?;
    }
    if plan.timeless > 0 {
        ui.note(format!(
            "kept: {} without a readable record; see verger log verify",
            count(plan.timeless, "session")
        ))?;
    }
    Ok(())
}

fn carry_out(
    ui: &Ui,
    left: &LeftSessions<'_, LocalStore>,
    plan: &Plan,
    before: Timestamp,
    now: Timestamp,
) -> Result<Done, CommandError> {
    let store = left.store;
    let mut done = Done::nothing();
    let mut meter = Meter::new(ui, "removing session");
    for (number, row) in (1..).zip(&plan.going) {
        match remove(left, row, before) {
            Ok(()) => {
                done.removed.insert(row.stem.clone());
            }
            Err(why) => done.kept.push((row.clone(), why)),
        }
        meter.update(number, plan.going.len());
    }
    drop(meter);
    for (row, why) in &done.kept {
        ui.warn(&format!("kept {}: {why}", row.session));
    }
    let _step = Step::new(ui, "removing payloads that no record names");
    store.remove_stray_locks()?;
    match store.remove_unnamed_blobs(now) {
        Ok(payloads) => done.payloads = payloads,
        Err(error) => {
            ui.warn(&format!("payloads are kept, because verger cannot {}", with_causes(&error)));
        }
    }
    // Updates the index, so that the next list doesn't have to find out which sessions are gone.
    Index::list::<State>(store)?;
    Ok(done)
}

/// Removes a session. Before that, tasks without a record are recorded, and records that the
/// project's log lacks are added to it.
fn remove(
    left: &LeftSessions<'_, LocalStore>,
    row: &SessionRow,
    before: Timestamp,
) -> Result<(), String> {
    let store = left.store;
    let failed = |error: &dyn std::error::Error| format!("cannot {}", with_causes(error));
    let key: Option<SessionKey> = store.key_of(&row.stem).map_err(|error| failed(&error))?;
    let key = key.ok_or("no record of the session can be read")?;
    left.record(&key).map_err(|error| failed(&error))?;
    store.settle(&key).map_err(|error| failed(&error))?;
    store.remove_older(&key, before).map_err(|error| match error {
        RemoveError::Recent => "the session continued meanwhile".to_owned(),
        RemoveError::Unsettled { count: number } => {
            let records = count(number, "record");
            format!("{records} may have to be kept and are not in the project's log yet")
        }
        RemoveError::Store(error) => failed(&error),
    })
}

fn report(plan: &Plan, before: Timestamp, done: &Done, payloads: Blobs) -> Value {
    let sessions: Vec<_> = plan
        .going
        .iter()
        .map(|row| {
            let kept = done.kept.iter().find(|(kept, _)| kept.stem == row.stem);
            json!({
                "agent": row.agent,
                "session": row.session,
                "last_ms": row.last_ms,
                "bytes": row.bytes,
                "removed": done.removed.contains(&row.stem),
                "kept_because": kept.map(|(_, why)| why),
            })
        })
        .collect();
    json!({
        "before_ms": before.as_millis(),
        "sessions": sessions,
        "payloads": { "count": payloads.count, "bytes": payloads.bytes },
        "kept": { "live": plan.live, "without_time": plan.timeless },
    })
}

fn size(bytes: u64) -> String {
    const KIB: u64 = 1024;
    match bytes {
        ..KIB => format!("{bytes} B"),
        KIB..0x10_0000 => format!("{} KiB", bytes.div_ceil(KIB)),
        _ => format!("{} MiB", bytes.div_ceil(KIB * KIB)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * 60 * 1000;

    fn row(stem: &str, last_ms: Option<i64>, ended: Option<&str>) -> SessionRow {
        SessionRow {
            stem: stem.to_owned(),
            agent: "agent".to_owned(),
            session: stem.to_owned(),
            project: None,
            user: None,
            agent_version: None,
            cwd: None,
            ended: ended.map(str::to_owned),
            first_ms: None,
            last_ms,
            events: 1,
            warnings: 0,
            releases: vec![],
            bytes: 7,
        }
    }

    #[test]
    fn live_and_timeless_sessions_stay() {
        let ago = |hours: i64| Some(1_000 * HOUR - hours * HOUR);
        let rows = vec![
            row("recent", ago(11), Some("exit")),
            row("just", ago(12), Some("exit")),
            row("ended", ago(13), Some("exit")),
            row("live", ago(23), None),
            row("left", ago(25), None),
            row("timeless", None, None),
            row("older", ago(99), Some("exit")),
        ];
        let now = Timestamp::from_millis(3_600_000_000);
        let before = Timestamp::from_millis(3_600_000_000 - 12 * 3_600_000);
        let plan = Plan::of(rows, before, now);
        let going: Vec<_> = plan.going.iter().map(|row| row.stem.as_str()).collect();
        assert_eq!(going, ["older", "left", "ended"]);
        assert_eq!((plan.live, plan.timeless, plan.bytes()), (1, 1, 21));
    }

    #[test]
    fn sizes_are_rounded_up() {
        let sizes = [0, 1023, 1024, 1025, 1_048_576, 1_048_577].map(size);
        assert_eq!(sizes, ["0 B", "1023 B", "1 KiB", "2 KiB", "1 MiB", "2 MiB"]);
    }
}
