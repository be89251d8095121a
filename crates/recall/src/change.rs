//! Changes of documents since an index was written, and the combined effect of the changes on each
//! document.

use std::collections::HashMap;

use crate::document::Document;

/// A change of the documents. A later change of the same document overrides an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A document was added, or replaced by a new version.
    Put(Box<Document>),
    /// The document with this id got another mark.
    Mark(String, u8),
    /// The document with this id was removed.
    Remove(String),
}

/// The combined effect of many changes, by the id of the document.
#[derive(Debug, Default)]
pub(crate) struct Fates<'a> {
    by_id: HashMap<&'a str, Changed<'a>>,
    count: usize,
}

#[derive(Debug)]
enum Changed<'a> {
    Put { document: &'a Document, mark: u8, place: usize },
    Marked(u8),
    Removed,
}

/// The effect of the changes on a document in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Stays,
    Goes,
    Marked(u8),
}

impl<'a> Fates<'a> {
    pub(crate) fn of(changes: &'a [Change]) -> Self {
        changes.iter().fold(Self::default(), |mut fates, change| match change {
            Change::Put(document) => fates.put(document),
            Change::Mark(id, mark) => {
                fates.mark(id, *mark);
                fates
            }
            Change::Remove(id) => {
                fates.by_id.insert(id, Changed::Removed);
                fates
            }
        })
    }

    pub(crate) fn put(mut self, document: &'a Document) -> Self {
        let put = Changed::Put { document, mark: document.mark, place: self.count };
        self.by_id.insert(&document.id, put);
        self.count += 1;
        self
    }

    fn mark(&mut self, id: &'a str, new: u8) {
        match self.by_id.get_mut(id) {
            Some(Changed::Put { mark, .. } | Changed::Marked(mark)) => *mark = new,
            Some(Changed::Removed) => {}
            None => drop(self.by_id.insert(id, Changed::Marked(new))),
        }
    }

    pub(crate) fn of_old(&self, id: &str) -> Fate {
        match self.by_id.get(id) {
            None => Fate::Stays,
            Some(Changed::Put { .. } | Changed::Removed) => Fate::Goes,
            Some(Changed::Marked(mark)) => Fate::Marked(*mark),
        }
    }

    /// The documents that must be indexed, each with its mark, in the order in which they were put.
    pub(crate) fn documents(&self) -> Vec<(&'a Document, u8)> {
        let mut puts: Vec<_> = self
            .by_id
            .values()
            .filter_map(|changed| match changed {
                Changed::Put { document, mark, place } => Some((*place, *document, *mark)),
                Changed::Marked(_) | Changed::Removed => None,
            })
            .collect();
        puts.sort_unstable_by_key(|(place, ..)| *place);
        puts.into_iter().map(|(_, document, mark)| (document, mark)).collect()
    }
}
