//! Finds the learnings that replace other learnings.

use verger_memory::LearningId;
use verger_recall::{Query, Recall, RecallError};

use super::filing::replaced_mark;
use super::{Catalogue, Filed, Filter, search};

/// The maximum number of replacements in a row that are followed.
const MOST_SUCCESSIONS: usize = 8;
/// The maximum number of learnings in one query for replacements. Each learning is a file of the
/// query, and a search looks up no more files.
const ASKED_AT_ONCE: usize = 32;
/// The maximum number of replacements that one query returns.
const MOST_SUCCESSORS: usize = 64;

impl Catalogue {
    /// For those of the learnings that were replaced, returns the learning that is valid now.
    pub fn successors(&self, ids: &[LearningId]) -> Result<Vec<(LearningId, Filed)>, RecallError> {
        let mut found: Vec<(LearningId, Filed)> = vec![];
        let mut open: Vec<(LearningId, LearningId)> =
            ids.iter().map(|id| (id.clone(), id.clone())).collect();
        for _ in 0..MOST_SUCCESSIONS {
            let replacing = self.replacing(open.iter().map(|(_, id)| id))?;
            let mut next = vec![];
            for (first, id) in &open {
                let by = replacing.iter().find(|filed| filed.learning.supersedes.contains(id));
                let Some(by) = by else { continue };
                found.retain(|(known, _)| known != first);
                found.push((first.clone(), by.clone()));
                next.push((first.clone(), by.learning.id.clone()));
            }
            if next.is_empty() {
                break;
            }
            open = next;
        }
        Ok(found)
    }

    /// Finds the learnings that replace any of the learnings `ids`.
    pub(super) fn replacing<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i LearningId>,
    ) -> Result<Vec<Filed>, RecallError> {
        let Some(recall) = Recall::open(&self.dir)? else { return Ok(vec![]) };
        let marks: Vec<_> = ids.into_iter().map(|id| replaced_mark(id.as_str())).collect();
        let mut replacing = vec![];
        for marks in marks.chunks(ASKED_AT_ONCE) {
            let files = marks.iter().map(String::as_str).collect();
            let query = Query { files, ..Query::default() };
            let found = search(&recall, &query, &Filter::default(), MOST_SUCCESSORS, |_| true)?;
            replacing.extend(found.into_iter().map(|(_, filed)| filed));
        }
        Ok(replacing)
    }
}
