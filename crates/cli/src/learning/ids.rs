//! The ids of learnings, as people and agents type them.

use verger_memory::LearningId;

use crate::invocation::command_error::CommandError;

/// Parses the ids and removes repeated ones.
pub(crate) fn learning_ids(texts: &[String]) -> Result<Vec<LearningId>, CommandError> {
    let mut ids = vec![];
    for text in texts {
        let id = text.parse::<LearningId>().map_err(|bad| CommandError::Usage {
            message: bad.to_string(),
            hint: "verger learn list shows the learnings that are kept".to_owned(),
        })?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// The message about an id without a learning.
pub(crate) fn not_kept(id: &LearningId) -> String {
    format!("no learning {id} is kept here; verger learn list shows those that are")
}
