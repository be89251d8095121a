//! Whose a learning is, told without reading all that a person ever learned.

use std::collections::HashSet;

use verger_memory::{LearningId, Scope};

use super::Catalogue;
use crate::backend::{Backend, SourceState};

impl Catalogue {
    /// Which of these learnings are the person's own. Those that the index has are looked up in it;
    /// for others, that is read of the person's own place which the index does not know yet.
    pub fn own(&self, personal: &dyn Backend, ids: &[&LearningId]) -> HashSet<LearningId> {
        // Looking up reads all ids of the index: whoever keeps nothing of their own is spared that.
        if personal.sources().is_empty() {
            return HashSet::new();
        }
        let filed = self.find(ids.iter().map(|id| id.as_str())).unwrap_or_default();
        let indexed: HashSet<_> = filed.iter().map(|filed| &filed.learning.id).collect();
        let learnings = filed.iter().map(|filed| &filed.learning);
        let own = learnings.filter(|learning| learning.scope == Scope::Personal);
        let mut own: HashSet<_> = own.map(|learning| learning.id.clone()).collect();
        let unknown: HashSet<_> = ids.iter().copied().filter(|id| !indexed.contains(id)).collect();
        if unknown.is_empty() {
            return own;
        }
        for source in personal.read(&self.origin().sources.0) {
            let (SourceState::Appended(entries) | SourceState::Whole(entries)) = source.state
            else {
                continue;
            };
            let ids = entries.learnings.into_iter().map(|placed| placed.learning.id);
            own.extend(ids.filter(|id| unknown.contains(id)));
        }
        own
    }
}
