//! Sessions that a gate released unsatisfied and that no person has looked at since.

use serde_json::{Value, json};
use verger_engine::{LoadedSettings, State};
use verger_event::{
    Access, Actor, Circumstance, Draft, Event, Origin, ProjectId, Scope, SeenBy, Standing,
    Timestamp,
};
use verger_gate::let_go;
use verger_store::Append as _;
use verger_store_local::{Index, LocalStore, SessionRow};

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

/// Records in each session that a person has looked at it.
pub(crate) fn mark_seen(
    ui: &mut Ui,
    context: &Context,
    store: &LocalStore,
    loaded: &LoadedSettings,
) -> Result<(), CommandError> {
    let rows = Index::current::<State, _>(store, |index| index.sessions_let_go(usize::MAX))?;
    for row in &rows {
        let (Some(key), Some(last)) = (row.key(), row.releases.last()) else { continue };
        let event = Event::ReleasesSeen { until: last.at, by: SeenBy::Person };
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
    match ui.output() {
        Output::Json => {
            let seen: Vec<_> = rows.iter().flat_map(entries_json).collect();
            ui.json(&json!({ "seen": seen }))?;
        }
        Output::Text if rows.is_empty() => {
            ui.line("no agent was released by an unsatisfied gate since you last looked")?;
        }
        Output::Text => {
            for row in &rows {
                for release in &row.releases {
                    ui.line(format!(
                        "seen: session {} was {}",
                        short_session(&row.session),
                        let_go::words(release)
                    ))?;
                }
            }
        }
    }
    Ok(())
}
