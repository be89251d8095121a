//! Which session a person means.

use verger_event::{SessionId, SessionKey};
use verger_store_local::{Index, LocalStore, SegmentName, SessionRow};

use crate::command_error::CommandError;

/// The one session whose id, or whose segment's name, is or begins with `text`.
pub(crate) fn choose(store: &LocalStore, text: &str) -> Result<SegmentName, CommandError> {
    // The names of the files suffice for a whole id, whatever state the other sessions are in.
    if let Some(segment) = store.segments()?.into_iter().find(|segment| is_named(segment, text)) {
        return Ok(segment);
    }
    let rows = Index::list(store)?;
    let begins = |row: &&SessionRow| row.session.starts_with(text) || row.stem.starts_with(text);
    let matching: Vec<_> = rows.iter().filter(begins).collect();
    match matching[..] {
        [row] => Ok(SegmentName::Session(row.stem.clone())),
        [] => Err(CommandError::Usage {
            message: format!("no session begins with {text:?}"),
            hint: match rows.first() {
                Some(latest) => {
                    format!("verger sessions lists them; the latest is {}", latest.session)
                }
                None => "nothing was recorded yet; register the hook with your agent first".into(),
            },
        }),
        _ => Err(CommandError::Usage {
            message: format!("{} sessions begin with {text:?}", matching.len()),
            hint: format!("say more of the id: {}", some_of(&matching)),
        }),
    }
}

fn is_named(segment: &SegmentName, text: &str) -> bool {
    let SegmentName::Session(stem) = segment else { return false };
    let agent = stem.split_once('-').and_then(|(agent, _)| agent.parse().ok());
    let key = agent.map(|agent| SessionKey { agent, session: SessionId::new(text) });
    stem == text || key.is_some_and(|key| key.file_stem() == *stem)
}

fn some_of(rows: &[&SessionRow]) -> String {
    let ids: Vec<_> = rows.iter().take(5).map(|row| row.session.as_str()).collect();
    ids.join(", ")
}
