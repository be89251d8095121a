//! A state that is computed from the log.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Record;

/// A state that is nothing but the sum of the records applied to it, in order.
///
/// It is kept in snapshots only to save time: a snapshot of another [`Fold::VERSION`] is thrown
/// away and the records are applied again.
pub trait Fold: Default + PartialEq + Serialize + DeserializeOwned {
    /// Raised whenever `apply` or the serialised form changes.
    const VERSION: u32;

    /// Takes one record into account.
    fn apply(&mut self, record: &Record);

    /// Whether it looks into events of this kind. Of others it may be given the kind and nothing else,
    /// which saves reading what can be long.
    fn reads(_kind: &str) -> bool {
        true
    }
}
