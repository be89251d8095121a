//! Converts a learning to a document of the search index, and back.

use verger_event::Timestamp;
use verger_memory::{Category, Learning, LearningId, Scope};
use verger_recall::{Attributes, Change, Document, Stored};

/// The standing of a learning: whether searches find it, and how it is ranked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The learning is in use.
    #[default]
    Active,
    /// The learning is in use, but code that the learning names has changed since it was made.
    Suspect,
    /// The learning was archived.
    Archived,
    /// Another learning replaces this learning.
    Superseded,
}

impl Standing {
    const ALL: [Self; 4] = [Self::Active, Self::Suspect, Self::Archived, Self::Superseded];

    /// The mark of a document in the index whose learning has this standing.
    pub(super) fn mark(self) -> u8 {
        self as u8
    }

    fn of_mark(mark: u8) -> Self {
        Self::ALL.get(usize::from(mark)).copied().unwrap_or(Self::Active)
    }

    /// Whether sessions are given learnings with this standing.
    pub fn is_in_use(self) -> bool {
        matches!(self, Self::Active | Self::Suspect)
    }
}

/// A learning with its standing, as the index stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// The complete learning.
    pub learning: Learning,
    /// The learning's standing.
    pub standing: Standing,
}

/// A filter for a search: the learnings that the search may return.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The standings that learnings may have. Empty for all.
    pub standings: Vec<Standing>,
    /// The scopes that learnings may have. Empty for all.
    pub scopes: Vec<Scope>,
    /// The categories that learnings may have. Empty for all.
    pub categories: Vec<Category>,
    /// The time after which learnings must have been created, if there is such a limit.
    pub created_after: Option<Timestamp>,
}

impl Filter {
    /// The filter that accepts the learnings that may be given to sessions.
    pub fn in_use() -> Self {
        Self { standings: vec![Standing::Active, Standing::Suspect], ..Self::default() }
    }

    /// Whether the filter accepts a document of the index.
    pub fn accepts(&self, attributes: &Attributes) -> bool {
        let (scope, category) = scope_and_category(attributes.kind);
        let among = |is_empty: bool, has: bool| is_empty || has;
        among(
            self.standings.is_empty(),
            self.standings.contains(&Standing::of_mark(attributes.mark)),
        ) && among(self.scopes.is_empty(), scope.is_some_and(|scope| self.scopes.contains(&scope)))
            && among(
                self.categories.is_empty(),
                category.is_some_and(|category| self.categories.contains(&category)),
            )
            && self.created_after.is_none_or(|after| attributes.at > after)
    }
}

pub(super) fn document(learning: Learning, standing: Standing) -> Document {
    // Serializing can't fail, because a learning has only texts and numbers.
    let payload = serde_json::to_vec(&learning).unwrap_or_default();
    let mut body = learning.detail;
    for symbol in &learning.symbols {
        body.push('\n');
        body.push_str(symbol);
    }
    let mut files = learning.files;
    files.extend(learning.supersedes.iter().map(|id| replaced_mark(id.as_str())));
    Document {
        id: learning.id.as_str().to_owned(),
        kind: kind(learning.scope, learning.category),
        mark: standing.mark(),
        title: learning.summary,
        body,
        tags: learning.tags,
        files,
        author: String::new(),
        date: String::new(),
        at: learning.created,
        place: None,
        payload,
    }
}

/// An additional file name in the document of a learning that replaces the learning `id`. By this
/// name, the index finds all replacements. No real file has such a name.
pub(super) fn replaced_mark(id: &str) -> String {
    format!("\u{1}{}", id.strip_prefix("learn-").unwrap_or(id))
}

pub(super) fn standing_change(id: &LearningId, standing: Standing) -> Change {
    Change::Mark(id.as_str().to_owned(), standing.mark())
}

/// Converts a search result to a learning. `None` if a newer version wrote the payload in a form
/// that this version can't parse.
pub(super) fn filed(attributes: Attributes, stored: &Stored) -> Option<Filed> {
    let value = serde_json::from_slice(&stored.payload).ok()?;
    let learning = Learning::from_json(&value).ok()?;
    Some(Filed { learning, standing: Standing::of_mark(attributes.mark) })
}

fn kind(scope: Scope, category: Category) -> u8 {
    let place = |found: Option<usize>| found.and_then(|at| u8::try_from(at).ok()).unwrap_or(0xf);
    let scope = place(Scope::ALL.iter().position(|one| *one == scope));
    let category = place(Category::ALL.iter().position(|one| *one == category));
    scope << 4 | category
}

fn scope_and_category(kind: u8) -> (Option<Scope>, Option<Category>) {
    let scope = Scope::ALL.get(usize::from(kind >> 4)).copied();
    let category = Category::ALL.get(usize::from(kind & 0xf)).copied();
    (scope, category)
}
