//! Finds the session that a command works on.

use verger_agent::AgentSpec;
use verger_config::near;
use verger_engine::State;
use verger_event::{SessionId, SessionKey};
use verger_store::{ReadLog, SegmentName};
use verger_store_local::{Index, LocalStore, SessionRow};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::short_ids::ambiguous;

/// The maximum number of sessions that a message names.
const MAX_NAMED: usize = 5;

/// The only session whose id or segment name equals `text` or begins with it.
pub(crate) fn choose(store: &LocalStore, text: &str) -> Result<SegmentName, CommandError> {
    if text.trim().is_empty() {
        return Err(CommandError::Usage {
            message: "no session was given".to_owned(),
            hint: "verger session list shows all sessions; the beginning of an id is enough"
                .to_owned(),
        });
    }
    // A whole id needs no index: the file's name is enough. This also works if other sessions are
    // damaged.
    if let Some(stem) = named_stems(text).find(|stem| store.has_session(stem)) {
        return Ok(SegmentName::Session(stem));
    }
    let matching = Index::current::<State, _>(store, |index| index.sessions_beginning(text))?;
    if let Some(row) = matching.iter().find(|row| row.session == text) {
        return Ok(row.segment());
    }
    match &matching[..] {
        [row] => Ok(row.segment()),
        [] => Err(none_begins(store, text)?),
        several => Err(ambiguous(text, several.iter().map(|row| &row.session))),
    }
}

fn none_begins(store: &LocalStore, text: &str) -> Result<CommandError, CommandError> {
    let rows = Index::list::<State>(store)?;
    let hint = match (&ids(&nearest(&rows, text))[..], rows.first()) {
        ("", None) => "nothing was recorded yet; register the hook with your agent first".into(),
        ("", Some(latest)) => {
            format!("verger session list shows all sessions; the latest is {}", latest.session)
        }
        (near, _) => format!("verger session list shows all sessions; similar ids: {near}"),
    };
    Ok(CommandError::Usage { message: format!("no session begins with {text:?}"), hint })
}

/// The session of a command for which naming a session is optional.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    One(SegmentName),
    /// No session is live in this project.
    None,
    /// Several sessions are live.
    Several(Vec<SessionRow>),
}

/// The session given by `--session`. Otherwise, the session in the environment of an agent's
/// command. Otherwise, the only live session of this project.
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
    let now = context.clock.now();
    Ok(only_one(Index::current::<State, _>(store, |index| index.live_sessions(&project, now))?))
}

impl Meant {
    /// The session, for a command that needs one.
    pub(crate) fn required(self) -> Result<SegmentName, CommandError> {
        match self {
            Self::One(segment) => Ok(segment),
            Self::None => Err(CommandError::Usage {
                message: "no session is live in this project".to_owned(),
                hint: "verger session list shows all sessions; name one with --session".to_owned(),
            }),
            Self::Several(rows) => Err(CommandError::Usage {
                message: format!("{} sessions are live in this project", rows.len()),
                hint: format!("name one with --session: {}", ids(&rows.iter().collect::<Vec<_>>())),
            }),
        }
    }
}

/// Like [`meant`], for commands about past sessions: if no session is live, returns the latest of
/// this project.
pub(crate) fn meant_or_latest(
    store: &LocalStore,
    context: &Context,
    given: Option<&str>,
) -> Result<SegmentName, CommandError> {
    let meant = meant(store, context, given)?;
    if meant == Meant::None
        && let Some(project) = context.project_id()
    {
        let (latest, all) = Index::current::<State, _>(store, |index| {
            Ok((index.latest_of_project(&project, 1)?.pop(), index.latest_sessions(1)?.len()))
        })?;
        return match latest {
            Some(latest) => Ok(latest.segment()),
            None => Err(CommandError::Usage {
                message: "no session of this project was recorded".to_owned(),
                hint: match all {
                    0 => "verger status says whether the hook is registered with your agent".into(),
                    _ => "verger session list shows the sessions of all projects; name one with --session"
                        .into(),
                },
            }),
        };
    }
    meant.required()
}

/// The segment of a session that an agent names. The session may have no segment, because it may
/// have begun before verger was installed.
fn recorded(store: &LocalStore, key: &SessionKey) -> Result<SegmentName, CommandError> {
    let stem = key.file_stem();
    if store.has_session(&stem) {
        return Ok(SegmentName::Session(stem));
    }
    Err(CommandError::Usage {
        message: format!("nothing was recorded of {} session {}", key.agent, key.session),
        hint: "verger session list lists the recorded sessions; name one with --session".to_owned(),
    })
}

fn named_by_agent(variable: impl Fn(&str) -> Option<String>) -> Option<SessionKey> {
    verger_agent::AGENTS.iter().find_map(|spec| {
        let session = spec.session_env.iter().find_map(|name| variable(name))?;
        Some(SessionKey { agent: spec.name.parse().ok()?, session: SessionId::new(session) })
    })
}

fn only_one(mut live: Vec<SessionRow>) -> Meant {
    match (live.pop(), live.is_empty()) {
        (None, _) => Meant::None,
        (Some(row), true) => Meant::One(row.segment()),
        (Some(row), false) => {
            live.push(row);
            Meant::Several(live)
        }
    }
}

/// The segment names that a session with this id can have, and the text itself.
fn named_stems(text: &str) -> impl Iterator<Item = String> {
    let of_agent = move |spec: &AgentSpec| {
        Some(SessionKey { agent: spec.name.parse().ok()?, session: SessionId::new(text) })
    };
    let keys = verger_agent::AGENTS.iter().filter_map(of_agent);
    keys.map(|key| key.file_stem()).chain([text.to_owned()])
}

/// The sessions with similar ids. Only as many characters are compared as were typed, because
/// people type the beginning.
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

    fn row(session: &str) -> SessionRow {
        SessionRow {
            stem: format!("claude-{session}"),
            agent: "claude".into(),
            session: session.into(),
            project: None,
            user: None,
            agent_version: None,
            cwd: None,
            ended: None,
            first_ms: None,
            last_ms: None,
            events: 1,
            warnings: 0,
            releases: vec![],
            bytes: 1,
        }
    }

    #[test]
    fn the_only_live_session_of_the_project_is_meant() {
        assert_eq!(only_one(vec![]), Meant::None);
        assert_eq!(only_one(vec![row("aa")]), Meant::One(SegmentName::Session("claude-aa".into())));
        let two = vec![row("aa"), row("bb")];
        assert_eq!(only_one(two.clone()), Meant::Several(two));
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
        let rows = [row("f0357e9b-fb48"), row("0a57e9bb-fb48")];
        let found = |text| ids(&nearest(&rows, text));
        assert_eq!(found("f0375e9b"), "f0357e9b-fb48");
        assert_eq!(found("f0357e9b-fb4x-1"), "f0357e9b-fb48");
        assert_eq!(found("third"), "");
    }
}
