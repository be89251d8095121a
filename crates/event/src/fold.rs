//! Folds: states that are computed from the records of the log.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Outline, Record};

/// The format in which a fold's snapshots are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The snapshots are JSON, which people can read.
    Readable,
    /// A binary encoding without field names. Reading and writing a large state takes a third of
    /// the time that JSON takes. A state must always serialize all of its fields. It can't use
    /// serde's untagged enums and flattened fields, because the decoder can't look ahead.
    Compact,
}

/// A state that is computed only from its records, applied in order.
///
/// A snapshot only saves time. If its version differs from [`Fold::VERSION`], it is dropped and
/// all records are applied again.
pub trait Fold: Default + PartialEq + Serialize + DeserializeOwned {
    /// The version of the state. Increment it when `apply` or the serialized form changes.
    const VERSION: u32;

    /// The format of the fold's snapshots.
    const FORM: Form = Form::Readable;

    /// The kinds of events that the fold reads; `None` means all. For other kinds, the fold may
    /// get an [`Outline`] instead of the record, which avoids parsing long payloads.
    const KINDS: Option<&'static [&'static str]> = None;

    /// The gates whose changes the fold reads; `None` means all. For other gates' changes, the
    /// fold may get an [`Outline`].
    const GATES: Option<&'static [&'static str]> = None;

    /// Applies a record to the state.
    fn apply(&mut self, record: &Record);

    /// Whether the fold reads events of this kind.
    fn reads(kind: &str) -> bool {
        Self::KINDS.is_none_or(|kinds| kinds.contains(&kind))
    }

    /// Applies an outline to the state. The effect must be the same as that of applying the record.
    fn pass(&mut self, _outline: &Outline<'_>) {}
}
