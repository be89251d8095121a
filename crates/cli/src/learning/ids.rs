//! Learnings, as people and agents name them.

use verger_memory::LearningId;

use crate::invocation::command_error::CommandError;

/// Each once.
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

/// What is said of one that is not there.
pub(crate) fn not_kept(id: &LearningId) -> String {
    format!("no learning {id} is kept here; verger learn list shows those that are")
}
