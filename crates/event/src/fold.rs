//! Folds: states computed from the log.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Outline, Record};

/// The format of a fold's snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// JSON, which people can read.
    Readable,
    /// Positional binary encoding. Large states cost a third to read and to write. Every field must
    /// be present, and no field may depend on looking ahead.
    Compact,
}

/// A state that is computed only from the records applied to it, in order.
///
/// Snapshots only save time. A snapshot of another [`Fold::VERSION`] is dropped, and the records
/// are applied again.
pub trait Fold: Default + PartialEq + Serialize + DeserializeOwned {
    /// Raised whenever `apply` or the serialised form changes.
    const VERSION: u32;

    /// The format of its snapshots.
    const FORM: Form = Form::Readable;

    /// The kinds of events that the fold reads, or `None` for all. For other kinds it may get an
    /// outline instead of the record, which avoids parsing long payloads.
    const KINDS: Option<&'static [&'static str]> = None;

    /// The gates whose changes the fold reads, or `None` for all. For other gates' changes it may
    /// get an outline, too.
    const GATES: Option<&'static [&'static str]> = None;

    /// Applies a record.
    fn apply(&mut self, record: &Record);

    /// Whether the fold reads events of this kind.
    fn reads(kind: &str) -> bool {
        Self::KINDS.is_none_or(|kinds| kinds.contains(&kind))
    }

    /// Applies the outline of a record. The effect must be that of the record.
    fn pass(&mut self, _outline: &Outline<'_>) {}
}
