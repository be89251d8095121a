//! A state that is computed from the log.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Outline, Record};

/// How a snapshot of a fold is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As JSON, which people can read.
    Readable,
    /// In few bytes, one field behind the other: large states cost a third to read and to write. Every field has to
    /// be there, and nothing in it may be told by what stands ahead.
    Compact,
}

/// A state that is nothing but the sum of the records applied to it, in order.
///
/// It is kept in snapshots only to save time: a snapshot of another [`Fold::VERSION`] is thrown
/// away and the records are applied again.
pub trait Fold: Default + PartialEq + Serialize + DeserializeOwned {
    /// Raised whenever `apply` or the serialised form changes.
    const VERSION: u32;

    /// How its snapshots are written.
    const FORM: Form = Form::Readable;

    /// The kinds of events that it looks into, unless it looks into all. Of others it may be given the
    /// outline in place of the record, which saves reading what can be long.
    const KINDS: Option<&'static [&'static str]> = None;

    /// The gates whose changes it looks into, unless it looks into those of all. Of changes of others it may be
    /// given the outline, too.
    const GATES: Option<&'static [&'static str]> = None;

    /// Takes one record into account.
    fn apply(&mut self, record: &Record);

    /// Whether it looks into events of this kind.
    fn reads(kind: &str) -> bool {
        Self::KINDS.is_none_or(|kinds| kinds.contains(&kind))
    }

    /// Takes the outline of a record into account, as it would the record.
    fn pass(&mut self, _outline: &Outline<'_>) {}
}
