//! From what the operating system says to what the store says.

use std::error::Error;
use std::path::PathBuf;

use verger_store::StoreError;

/// For `map_err`: names what was being done, and to which file.
pub(crate) fn failed<E: Into<std::io::Error>>(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(E) -> StoreError {
    move |error| StoreError::Io { action, path: path.into(), source: error.into() }
}

/// What happened and why, in one line.
pub(crate) fn told(error: &StoreError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
