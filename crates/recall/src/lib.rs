//! The search index: finds the few of many documents that fit a person's or an agent's next task.
//!
//! Documents are ranked by BM25F. The impact of a word in a document is computed from all its
//! fields when the document is indexed, and stored as one byte. A search reads only the lists of
//! the words in the query. The index is a folder of immutable segment files and a manifest that is
//! replaced by renaming. It is derived from the documents: a program that can't read it continues
//! without it and rebuilds it.

mod accumulator;
mod analysis;
mod best;
mod change;
mod checked;
mod closeness;
mod common_words;
mod document;
mod error;
mod files;
mod fit;
mod impact;
mod lookup;
mod manifest;
mod marks;
mod merging;
mod postings;
#[cfg(test)]
mod properties;
mod query;
mod recall;
mod recency;
#[cfg(test)]
mod reference;
mod search;
mod segment;
mod segment_builder;
mod term;
mod verification;
mod vocabulary;
mod writer;

pub use change::Change;
pub use common_words::common_words;
pub use document::{Attributes, Document, Place};
pub use error::RecallError;
pub use query::Query;
pub use recall::{Recall, Stored};
pub use search::Hit;
pub use writer::Writer;
