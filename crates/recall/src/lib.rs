//! The search index: which few of many documents fit what somebody is about to do.
//!
//! Documents are ranked by BM25F: what a word is worth in a document is worked out when the document is
//! indexed, from all its fields at once, and stored as one byte. A search reads the lists of the words
//! it asks for, nothing else. The index is a folder of immutable segment files and a manifest that is
//! replaced by renaming. It is derived: whoever cannot read it goes on without it and builds it anew.

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
