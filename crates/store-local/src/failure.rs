//! Conversion of the operating system's errors into store errors.

use std::path::PathBuf;

use verger_store::StoreError;

/// Makes an error for `map_err` that names the action and the file.
pub(crate) fn failed<E: Into<std::io::Error>>(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(E) -> StoreError {
    move |error| StoreError::Io { action, path: path.into(), source: error.into() }
}
