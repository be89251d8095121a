//! Sessions that a gate released unsatisfied, or that claimed to be done without a green check, and
//! that no person has looked at since.

use serde_json::{Value, json};
use verger_engine::{LoadedSettings, State};
use verger_event::{
    Access, Actor, Circumstance, Draft, Event, Origin, ProjectId, Scope, SeenBy, Standing,
    Timestamp,
};
use verger_gate::{let_go, verification};
use verger_store::Append as _;
use verger_store_local::{Index, LocalStore, SessionRow};

use crate::doctor::recorded::{Depth, Recent, claim_words, open_claims};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui, count};
use crate::render::short_ids::{ShortIds, short_session};
use crate::render::time::age;

/// The maximum number of named sessions, so that the output fits on the screen.
const MAX_NAMED: usize = 10;

/// The sessions, latest first.
pub(crate) struct NeedsYou {
    named: Vec<SessionRow>,
    all: usize,
}

impl NeedsYou {
    /// Finds the sessions in the index, which must be up to date.
    pub(crate) fn find(store: &LocalStore) -> Result<Self, CommandError> {
        Ok(Index::current::<State, _>(store, |index| {
            Ok(Self { named: index.sessions_let_go(MAX_NAMED)?, all: index.count_let_go()? })
        })?)
    }

    pub(crate) fn to_json(&self) -> Value {
        self.named.iter().flat_map(entries_json).collect()
    }

    /// Each release in one line, with the command that shows it.
    pub(crate) fn lines(&self, now: Timestamp) -> Vec<(String, String)> {
        let short = ShortIds::of_sessions(self.named.iter().map(|row| row.session.as_str()));
        let of_row = |row: &SessionRow| {
            let session = short.of(&row.session);
            let release = move |release| {
                let text = format!("session {session} was {}", let_go::words(release));
                let at = age(release.at, now);
                (format!("{text}, {at}"), format!("verger why --last --session {session}"))
            };
            row.releases.iter().map(release).collect::<Vec<_>>()
        };
        let mut lines: Vec<_> = self.named.iter().flat_map(of_row).collect();
        if self.all > self.named.len() {
            let more = count(self.all - self.named.len(), "more session");
            lines.push((
                format!("{more} released by an unsatisfied gate"),
                "verger session list".to_owned(),
            ));
        }
        if let Some((_, help)) = lines.last_mut() {
            help.push_str("; after you have looked: verger status --seen");
        }
        lines
    }

    /// The number of sessions in one line. `None` if there are none.
    pub(crate) fn summary(&self) -> Option<String> {
        let sessions = count(self.all, "session");
        (self.all > 0)
            .then(|| format!("{sessions} released by an unsatisfied gate: see verger status"))
    }
}

/// The gates that released the agent of a session unsatisfied, for a list of sessions.
pub(crate) fn gates(row: &SessionRow) -> Option<String> {
    let mut gates: Vec<_> = row.releases.iter().map(|release| release.gate.as_str()).collect();
    gates.dedup();
    (!gates.is_empty()).then(|| gates.join(", "))
}

pub(crate) fn entries_json(row: &SessionRow) -> Vec<Value> {
    let entry = |release: &verger_event::UnsatisfiedRelease| {
        json!({
            "agent": row.agent,
            "session": row.session,
            "project": row.project,
            "gate": release.gate,
            "by": release.by,
            "at_ms": release.at,
            "reason": release.reason,
        })
    };
    row.releases.iter().map(entry).collect()
}

/// The sessions that a person marks as seen: those that `verger status` lists.
struct Seen {
    /// Sessions whose agent was released by an unsatisfied gate.
    released: Vec<SessionRow>,
    /// Sessions whose agent claimed to be done without a green check.
    claimed: Vec<Claimed>,
}

struct Claimed {
    row: SessionRow,
    at: Timestamp,
    words: String,
}

impl Seen {
    fn find(store: &LocalStore, now: Timestamp) -> Result<Self, CommandError> {
        let released =
            Index::current::<State, _>(store, |index| index.sessions_let_go(usize::MAX))?;
        let recent = Recent::find(store, now, Depth::Usual)?.sessions;
        let claimed = open_claims(&recent).map(|claim| {
            let row = claim.session.row.clone();
            let words = claim_words(short_session(&row.session));
            Claimed { at: claim.at, words, row }
        });
        Ok(Self { released, claimed: claimed.collect() })
    }

    /// Each session, with the time of the last release or claim that the person has seen.
    fn sessions(&self) -> Vec<(&SessionRow, Timestamp)> {
        let mut sessions: Vec<(&SessionRow, Timestamp)> =
            self.released.iter().filter_map(|row| Some((row, row.releases.last()?.at))).collect();
        for Claimed { row, at, .. } in &self.claimed {
            match sessions.iter_mut().find(|(known, _)| known.stem == row.stem) {
                Some((_, until)) => *until = (*until).max(*at),
                None => sessions.push((row, *at)),
            }
        }
        sessions
    }

    fn lines(&self) -> Vec<String> {
        let of_row = |row: &SessionRow| {
            let session = short_session(&row.session);
            let release = |release| format!("session {session} was {}", let_go::words(release));
            row.releases.iter().map(release).collect::<Vec<_>>()
        };
        let claims = self.claimed.iter().map(|claim| claim.words.clone());
        self.released.iter().flat_map(of_row).chain(claims).collect()
    }

    fn to_json(&self) -> Vec<Value> {
        let claim = |Claimed { row, at, .. }: &Claimed| {
            json!({
                "agent": row.agent,
                "session": row.session,
                "project": row.project,
                "gate": verification::GATE,
                "claimed_at_ms": at,
            })
        };
        let released = self.released.iter().flat_map(entries_json);
        released.chain(self.claimed.iter().map(claim)).collect()
    }
}

/// Records in each session that a person has looked at it.
pub(crate) fn mark_seen(
    ui: &mut Ui,
    context: &Context,
    store: &LocalStore,
    loaded: &LoadedSettings,
) -> Result<(), CommandError> {
    let seen = Seen::find(store, context.clock.now())?;
    for (row, until) in seen.sessions() {
        let Some(key) = row.key() else { continue };
        let event = Event::ReleasesSeen { until, by: SeenBy::Person };
        let record = &loaded.settings.record;
        let circumstance = Circumstance { cwd: row.cwd.clone(), ..Circumstance::default() };
        let draft = Draft {
            id: context.clock.next_id(),
            at: context.clock.now(),
            origin: Origin {
                agent: key.agent.clone(),
                agent_version: row.agent_version.clone(),
                session: key.session.clone(),
                actor: Actor::Main { agent_type: None },
                user: row.user.clone(),
                role: record.role.value.clone(),
                project: row.project.as_deref().map(ProjectId::new),
                circumstance,
            },
            standing: Standing::default(),
            access: Access { scope: Scope::of(&event), readers: record.readers.value.clone() },
            event,
        };
        store.append(&key, vec![draft])?;
    }
    match (ui.output(), seen.lines()) {
        (Output::Json, _) => ui.json(&json!({ "seen": seen.to_json() }))?,
        (Output::Text, lines) if lines.is_empty() => {
            ui.line(
                "no agent was released by an unsatisfied gate, or claimed to be done without a \
                 green check, since you last looked",
            )?;
        }
        (Output::Text, lines) => {
            for line in lines {
                ui.line(format!("seen: {line}"))?;
            }
        }
    }
    Ok(())
}
