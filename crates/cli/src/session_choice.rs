//! Which session a person means.

use verger_store_local::{Index, LocalStore, SessionRow};

use crate::command_error::CommandError;

/// The one session whose id, or whose segment's name, is or begins with `text`.
pub(crate) fn choose(store: &LocalStore, text: &str) -> Result<SessionRow, CommandError> {
    let rows = Index::list(store)?;
    if let Some(row) = rows.iter().find(|row| row.session == text || row.stem == text) {
        return Ok(row.clone());
    }
    let begins = |row: &&SessionRow| row.session.starts_with(text) || row.stem.starts_with(text);
    let matching: Vec<_> = rows.iter().filter(begins).collect();
    match matching[..] {
        [row] => Ok(row.clone()),
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

fn some_of(rows: &[&SessionRow]) -> String {
    let ids: Vec<_> = rows.iter().take(5).map(|row| row.session.as_str()).collect();
    ids.join(", ")
}
