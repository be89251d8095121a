//! Conversion of the operating system's errors into store errors.

use std::path::PathBuf;

use verger_store::StoreError;

/// Returns a function for `map_err` that makes an error with the action and the file's path.
pub(crate) fn failed<E: Into<std::io::Error>>(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(E) -> StoreError {
    move |error| StoreError::Io { action, path: path.into(), source: error.into() }
}
