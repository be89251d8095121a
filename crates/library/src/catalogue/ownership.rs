//! Decides whether learnings belong to the project or to the person, without reading all of them.

use std::collections::{HashMap, HashSet};

use verger_memory::{LearningId, Scope};

use super::Catalogue;
use crate::backend::{Backend, SourceState};

impl Catalogue {
    /// The learnings that are known to belong to the project. All other learnings may be a person's
    /// own, even if their file no longer exists, and must not be shown to a team. Learnings in the
    /// index are looked up there. For the rest, this function reads the content that the index
    /// doesn't cover yet.
    pub fn shared(&self, places: &[&dyn Backend], ids: &[&LearningId]) -> HashSet<LearningId> {
        let filed = self.find(ids.iter().map(|id| id.as_str())).unwrap_or_default();
        let scopes = filed.into_iter().map(|filed| (filed.learning.id, filed.learning.scope));
        let mut scopes: HashMap<_, _> = scopes.collect();
        let unknown = ids.iter().copied().filter(|id| !scopes.contains_key(*id));
        let unknown: HashSet<_> = unknown.cloned().collect();
        if !unknown.is_empty() {
            let known = self.origin().sources.0;
            for source in places.iter().flat_map(|place| place.read(&known)) {
                let (SourceState::Appended(entries) | SourceState::Whole(entries)) = source.state
                else {
                    continue;
                };
                for learning in entries.learnings.into_iter().map(|placed| placed.learning) {
                    let scope = scopes.get(&learning.id).copied();
                    if unknown.contains(&learning.id) && scope != Some(Scope::Personal) {
                        scopes.insert(learning.id, learning.scope);
                    }
                }
            }
        }
        scopes.retain(|_, scope| *scope != Scope::Personal);
        scopes.into_keys().collect()
    }
}
