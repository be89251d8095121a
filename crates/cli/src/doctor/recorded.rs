//! Checks of the log's records about verger itself: its failures, and records that must be merged.

use std::collections::BTreeSet;

use verger_config::Settings;
use verger_engine::State;
use verger_event::{EventId, Timestamp, Warning};
use verger_gate::verification;
use verger_store::{Entry, ReadLog, StoreError};
use verger_store_local::{Index, LocalStore, SessionRow};

use super::{Check, Repair};
use crate::invocation::command_error::CommandError;
use crate::render::output::{Ui, count};
use crate::render::progress::Meter;
use crate::render::short_ids::ShortIds;
use crate::render::time::age;

/// The maximum age of events that the checks consider.
pub(crate) const RECENT_MILLIS: u64 = 7 * 24 * 60 * 60 * 1000;

/// A session with recent events.
pub(crate) struct RecentSession {
    pub(crate) row: SessionRow,
    pub(crate) state: State,
    /// The number of spilled records that are not merged yet.
    pub(crate) spilled: u64,
}

/// How much of the log is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Reads a limited part, so that checking a large log takes no longer than checking a small
    /// one.
    Usual,
    /// Reads everything.
    Deep,
}

/// The maximum number of sessions, and of their bytes, that are read at the usual depth.
const MAX_SESSIONS: usize = 50;
const MAX_BYTES: u64 = 8 * 1024 * 1024;

impl Depth {
    pub(crate) fn max_sessions(self) -> usize {
        match self {
            Self::Usual => MAX_SESSIONS,
            Self::Deep => usize::MAX,
        }
    }

    /// The first items whose total size is within the limit, but at least one.
    pub(crate) fn readable<T>(self, items: &[T], bytes: impl Fn(&T) -> u64) -> &[T] {
        let mut total = 0_u64;
        let fits = |item: &T| {
            total = total.saturating_add(bytes(item));
            total <= MAX_BYTES
        };
        match self {
            Self::Usual => {
                &items[..items
                    .iter()
                    .map(fits)
                    .take_while(|fits| *fits)
                    .count()
                    .max(1)
                    .min(items.len())]
            }
            Self::Deep => items,
        }
    }
}

/// The sessions with recent events.
pub(crate) struct Recent {
    /// The sessions, latest first.
    pub(crate) sessions: Vec<RecentSession>,
    /// The number of sessions that were not read.
    pub(crate) left_out: usize,
    pub(crate) depth: Depth,
}

impl Recent {
    /// Finds the recent sessions. A session without any time stamp may be damaged, so it counts as
    /// recent.
    pub(crate) fn find(
        store: &LocalStore,
        now: Timestamp,
        depth: Depth,
    ) -> Result<Self, CommandError> {
        let since = Timestamp::from_millis(now.as_millis().saturating_sub(RECENT_MILLIS));
        let (rows, count) = Index::current::<State, _>(store, |index| {
            Ok((index.sessions_since(since, depth.max_sessions())?, index.count_since(since)?))
        })?;
        let left_out = count.saturating_sub(rows.len());
        let look_at = |row: SessionRow| {
            let (state, files) = (store.folded(&row.stem)?, store.files_of(&row.stem)?);
            Ok(RecentSession { row, state, spilled: files.spilled_records })
        };
        let sessions = rows.into_iter().map(look_at).collect::<Result<_, StoreError>>()?;
        Ok(Self { sessions, left_out, depth })
    }

    /// The sessions whose records are read, the latest first.
    pub(crate) fn readable(&self) -> &[RecentSession] {
        let bytes = |session: &RecentSession| u64::try_from(session.row.bytes).unwrap_or_default();
        self.depth.readable(&self.sessions, bytes)
    }

    /// The sessions that were not read, if any.
    pub(crate) fn unread(&self) -> Option<String> {
        let unread = self.left_out + self.sessions.len() - self.readable().len();
        let sessions = count(unread, "earlier session");
        (unread > 0).then(|| format!("{sessions} not read; to read them: verger doctor --deep"))
    }
}

/// The kinds of the records in recent sessions. With `since`, older records are ignored.
pub(crate) fn kinds(
    ui: &Ui,
    store: &LocalStore,
    recent: &[&RecentSession],
    since: Option<Timestamp>,
) -> Result<BTreeSet<String>, StoreError> {
    let mut meter = Meter::new(ui, "reading session");
    let mut kinds = BTreeSet::new();
    for (done, session) in (1..).zip(recent) {
        store.read_segment(&session.row.segment(), &mut |entry| {
            if let Entry::Record(record) | Entry::Spilled(record) = entry
                && since.is_none_or(|since| record.draft.at >= since)
            {
                kinds.insert(record.draft.event.kind().to_owned());
            }
        })?;
        meter.update(done, recent.len());
    }
    Ok(kinds)
}

pub(crate) fn checks(recent: &[RecentSession], settings: &Settings, now: Timestamp) -> Vec<Check> {
    let drift = &settings.drift;
    let programs =
        [("drift.reader", &drift.reader.value), ("drift.scorer", &drift.scorer.value)].into_iter();
    // A program that is no longer configured can't fail.
    let set = programs.filter(|(_, program)| program.is_some());
    let failing = set.filter_map(|(setting, _)| program(setting, recent, now));
    [warnings(recent, now), spill(recent, now)].into_iter().chain(failing).collect()
}

/// The claim of a session's agent that its work is done, without a green check.
pub(crate) struct OpenClaim<'a> {
    pub(crate) session: &'a RecentSession,
    pub(crate) at: Timestamp,
    why: &'a str,
    /// The record of the claim.
    record: Option<EventId>,
}

/// The claims that no green check confirmed and that no person has seen yet.
pub(crate) fn open_claims(recent: &[RecentSession]) -> impl Iterator<Item = OpenClaim<'_>> {
    recent.iter().filter_map(|session| match &session.state.verification.phase {
        verification::Phase::Claimed { at, why, record, .. } => {
            Some(OpenClaim { session, at: *at, why, record: *record })
        }
        _ => None,
    })
}

/// A claim in words. `session` is the session's id, or a short form of it.
pub(crate) fn claim_words(session: &str) -> String {
    format!("session {session} claimed to be done without a green check")
}

/// The claims under "needs you".
pub(crate) fn claims(recent: &[RecentSession], now: Timestamp) -> Vec<Check> {
    let records = open_claims(recent).filter_map(|claim| claim.record);
    let short = ShortIds::of_records(records);
    let check = |claim: OpenClaim<'_>| {
        let id = &claim.session.row.session;
        let what = format!("{} {}: {}", claim_words(id), age(claim.at, now), claim.why);
        let directory = claim.session.state.session.cwd.as_deref().unwrap_or("its project");
        let explain = match claim.record {
            Some(record) => format!("verger why {}", short.of(&record.to_string())),
            None => format!("verger why --last --session {id}"),
        };
        let help = format!(
            "{explain}; if its work is unchanged: verger verify --session {id}, in {directory}; after \
             you have looked: verger status --seen"
        );
        Check::problem("claims", what, help)
    };
    open_claims(recent).map(check).collect()
}

/// Checks a program that the user configured. If it fails, the built-in rules decide instead, and
/// only this check reports the failure.
fn program(setting: &'static str, recent: &[RecentSession], now: Timestamp) -> Option<Check> {
    let answers = recent.iter().flat_map(|session| session.state.drift.answers());
    let answered = answers.filter(|(answering, _)| *answering == setting).map(|(_, at)| at).max();
    let failing: Vec<_> = recent
        .iter()
        .flat_map(|session| session.state.drift.trouble())
        .filter(|(failing, _, last)| {
            *failing == setting
                && now.millis_since(last.at) <= RECENT_MILLIS
                && answered.is_none_or(|answered| answered < last.at)
        })
        .collect();
    let (_, _, last) = failing.iter().max_by_key(|(_, _, last)| last.at)?;
    let times: u64 = failing.iter().map(|(_, failures, _)| u64::from(*failures)).sum();
    Some(Check::problem(
        setting,
        format!(
            "the program of {setting} failed {} in {} of the last 7 days, so verger's own rules decided; the last failure, {}: {}",
            if times == 1 { "once".to_owned() } else { format!("{times} times") },
            count(failing.len(), "session"),
            age(last.at, now),
            last.why,
        ),
        format!("verger config show {setting}"),
    ))
}

fn warnings(recent: &[RecentSession], now: Timestamp) -> Check {
    let name = "own failures";
    let is_recent = |warning: &&Warning| now.millis_since(warning.at) <= RECENT_MILLIS;
    let warned: Vec<_> = recent
        .iter()
        .filter_map(|session| Some((session, session.state.session.warnings.last.as_ref()?)))
        .filter(|(_, last)| is_recent(last))
        .collect();
    let Some((session, last)) = warned.iter().max_by_key(|(_, last)| last.at) else {
        return Check::fine(name, "no warning in 7 days");
    };
    let total = warned.iter().map(|(session, _)| session.state.session.warnings.count).sum::<u64>();
    Check::problem(
        name,
        format!(
            "{} in {} of the last 7 days; the last, {}: {}: {}",
            count(total, "warning"),
            count(warned.len(), "session"),
            age(last.at, now),
            last.area,
            last.message,
        ),
        format!("verger session show {}", session.row.session),
    )
}

/// Checks for spilled records. A live session merges its spilled records at its next call. The
/// spilled records of a dead session stay unmerged.
fn spill(recent: &[RecentSession], now: Timestamp) -> Check {
    let name = "spill";
    let spilled: Vec<_> = recent.iter().filter(|session| session.spilled > 0).collect();
    let total = count(spilled.iter().map(|session| session.spilled).sum::<u64>(), "record");
    if spilled.iter().any(|session| !session.row.is_live(now)) {
        let sessions = count(spilled.len(), "session");
        return Check::problem(
            name,
            format!("{total} of {sessions} are not merged into the log yet"),
            "verger log rebuild",
        )
        .mended_by(Repair::Rebuild);
    }
    if spilled.is_empty() {
        return Check::fine(name, "no record waits to be merged into the log");
    }
    Check::note(
        name,
        format!("{total} will be merged into the log by the next hook call of their session"),
    )
}
