//! Which session is meant.

use verger_config::near;
use verger_engine::State;
use verger_event::{ProjectId, SessionId, SessionKey, Timestamp};
use verger_store_local::{Index, LocalStore, SegmentName, SessionRow};

use crate::command_error::CommandError;
use crate::context::Context;

/// How many sessions a message names.
const MAX_NAMED: usize = 5;

/// The one session whose id, or whose segment's name, is or begins with `text`.
pub(crate) fn choose(store: &LocalStore, text: &str) -> Result<SegmentName, CommandError> {
    if text.trim().is_empty() {
        return Err(CommandError::Usage {
            message: "no session is named".to_owned(),
            hint: "verger sessions lists them; the beginning of an id is enough".to_owned(),
        });
    }
    // The names of the files suffice for a whole id, whatever state the other sessions are in.
    if let Some(segment) = store.segments()?.into_iter().find(|segment| is_named(segment, text)) {
        return Ok(segment);
    }
    let rows = Index::list::<State>(store)?;
    let begins = |row: &&SessionRow| row.session.starts_with(text) || row.stem.starts_with(text);
    let matching: Vec<_> = rows.iter().filter(begins).collect();
    match matching[..] {
        [row] => Ok(row.segment()),
        [] => Err(CommandError::Usage {
            message: format!("no session begins with {text:?}"),
            hint: match (&ids(&nearest(&rows, text))[..], rows.first()) {
                ("", None) => {
                    "nothing was recorded yet; register the hook with your agent first".into()
                }
                ("", Some(latest)) => {
                    format!("verger sessions lists them; the latest is {}", latest.session)
                }
                (near, _) => format!("verger sessions lists them; near it: {near}"),
            },
        }),
        _ => Err(CommandError::Usage {
            message: format!("{} sessions begin with {text:?}", matching.len()),
            hint: format!("say more of the id: {}", ids(&matching)),
        }),
    }
}

/// What is known of the session of a command that does not have to be told it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    One(SegmentName),
    /// No session is live in this project.
    None,
    /// More than one is.
    Several(Vec<SessionRow>),
}

/// The session given by `--session`, else the one that the environment of an agent's command
/// names, else the only live one of this project.
pub(crate) fn meant(
    store: &LocalStore,
    context: &Context,
    given: Option<&str>,
) -> Result<Meant, CommandError> {
    if let Some(text) = given {
        return choose(store, text).map(Meant::One);
    }
    if let Some(key) = named_by_agent(|name| context.environment.text(name)) {
        return recorded(store, &key).map(Meant::One);
    }
    let Some(project) = context.project_id() else { return Ok(Meant::None) };
    Ok(only_live(Index::list::<State>(store)?, &project, context.clock.now()))
}

impl Meant {
    /// For a command that needs a session.
    pub(crate) fn required(self) -> Result<SegmentName, CommandError> {
        match self {
            Self::One(segment) => Ok(segment),
            Self::None => Err(CommandError::Usage {
                message: "no session is live in this project".to_owned(),
                hint: "verger sessions lists all; name one with --session".to_owned(),
            }),
            Self::Several(rows) => Err(CommandError::Usage {
                message: format!("{} sessions are live in this project", rows.len()),
                hint: format!("name one with --session: {}", ids(&rows.iter().collect::<Vec<_>>())),
            }),
        }
    }
}

/// The same for a command that looks back: where no session is live, the latest of this project.
pub(crate) fn meant_or_latest(
    store: &LocalStore,
    context: &Context,
    given: Option<&str>,
) -> Result<SegmentName, CommandError> {
    let meant = meant(store, context, given)?;
    if meant == Meant::None
        && let Some(project) = context.project_id()
    {
        let is_here = |row: &SessionRow| row.project.as_deref() == Some(project.as_str());
        let rows = Index::list::<State>(store)?;
        return match rows.iter().find(|row| is_here(row)) {
            Some(latest) => Ok(latest.segment()),
            None => Err(CommandError::Usage {
                message: "no session of this project was recorded".to_owned(),
                hint: match rows.len() {
                    0 => "verger status says whether the hook is registered with your agent".into(),
                    _ => "verger sessions lists those of all projects; name one with --session"
                        .into(),
                },
            }),
        };
    }
    meant.required()
}

/// A session that an agent names may have begun before verger was installed.
fn recorded(store: &LocalStore, key: &SessionKey) -> Result<SegmentName, CommandError> {
    let segment = SegmentName::Session(key.file_stem());
    if store.segments()?.contains(&segment) {
        return Ok(segment);
    }
    Err(CommandError::Usage {
        message: format!("nothing was recorded of this session of {}, {}", key.agent, key.session),
        hint: "verger sessions lists what was; name one with --session".to_owned(),
    })
}

fn named_by_agent(variable: impl Fn(&str) -> Option<String>) -> Option<SessionKey> {
    verger_agent::AGENTS.iter().find_map(|spec| {
        let session = spec.session_env.iter().find_map(|name| variable(name))?;
        Some(SessionKey { agent: spec.name.parse().ok()?, session: SessionId::new(session) })
    })
}

fn only_live(rows: Vec<SessionRow>, project: &ProjectId, now: Timestamp) -> Meant {
    let is_here = |row: &SessionRow| row.project.as_deref() == Some(project.as_str());
    let mut live: Vec<_> =
        rows.into_iter().filter(|row| is_here(row) && row.is_live(now)).collect();
    match (live.pop(), live.is_empty()) {
        (None, _) => Meant::None,
        (Some(row), true) => Meant::One(row.segment()),
        (Some(row), false) => {
            live.push(row);
            Meant::Several(live)
        }
    }
}

fn is_named(segment: &SegmentName, text: &str) -> bool {
    let SegmentName::Session(stem) = segment else { return false };
    let agent = stem.split_once('-').and_then(|(agent, _)| agent.parse().ok());
    let key = agent.map(|agent| SessionKey { agent, session: SessionId::new(text) });
    stem == text || key.is_some_and(|key| key.file_stem() == *stem)
}

/// Compared with as much of each id as was typed: people type the beginning.
fn nearest<'a>(rows: &'a [SessionRow], text: &str) -> Vec<&'a SessionRow> {
    near(text, rows, |row| &row.session[..row.session.floor_char_boundary(text.len())])
}

fn ids(rows: &[&SessionRow]) -> String {
    let ids: Vec<_> = rows.iter().take(MAX_NAMED).map(|row| row.session.as_str()).collect();
    ids.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_794_767_961_000;
    const HOUR: u64 = 60 * 60 * 1000;

    fn row(session: &str, project: &str, ended: Option<&str>, age_ms: u64) -> SessionRow {
        SessionRow {
            stem: format!("claude-{session}"),
            agent: "claude".into(),
            session: session.into(),
            project: Some(project.into()),
            user: None,
            agent_version: None,
            cwd: None,
            ended: ended.map(Into::into),
            first_ms: None,
            last_ms: i64::try_from(NOW - age_ms).ok(),
            events: 1,
            warnings: 0,
            bytes: 1,
        }
    }

    fn of_p(rows: &[SessionRow]) -> Meant {
        only_live(rows.to_vec(), &ProjectId::new("p"), Timestamp::from_millis(NOW))
    }

    #[test]
    fn the_only_live_session_of_the_project_is_meant() {
        let live = row("aa", "p", None, HOUR);
        let others = [
            row("bb", "p", Some("other"), HOUR),
            row("cc", "p", None, 24 * HOUR),
            row("dd", "q", None, HOUR),
        ];
        assert_eq!(of_p(&others), Meant::None);
        let rows = [&others[..], std::slice::from_ref(&live)].concat();
        assert_eq!(of_p(&rows), Meant::One(SegmentName::Session("claude-aa".into())));
        let second = row("ee", "p", None, 0);
        let rows = [&rows[..], std::slice::from_ref(&second)].concat();
        assert_eq!(of_p(&rows), Meant::Several(vec![live, second]));
    }

    #[test]
    fn an_agents_environment_names_its_session() {
        let key = named_by_agent(|name| {
            (name == verger_agent::AGENTS[0].session_env[0]).then(|| "aa".to_owned())
        });
        let agent = verger_agent::AGENTS[0].name.parse().unwrap();
        assert_eq!(key, Some(SessionKey { agent, session: SessionId::new("aa") }));
        assert_eq!(named_by_agent(|_| None), None);
    }

    #[test]
    fn near_ids_are_found_by_their_beginning() {
        let rows = [row("f0357e9b-fb48", "p", None, 0), row("0a57e9bb-fb48", "p", None, 0)];
        let found = |text| ids(&nearest(&rows, text));
        assert_eq!(found("f0375e9b"), "f0357e9b-fb48");
        assert_eq!(found("f0357e9b-fb4x-1"), "f0357e9b-fb48");
        assert_eq!(found("third"), "");
    }
}
