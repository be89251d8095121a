//! Formats an error and its causes as one line of text.

use std::error::Error;

/// The error and each of its causes in one line, separated by colons.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RemoveError, StoreError};

    #[test]
    fn every_cause_is_told_once() {
        let source = std::io::Error::other("no space");
        let error = StoreError::Io { action: "write", path: "a.jsonl".into(), source };
        assert_eq!(with_causes(&RemoveError::from(error)), "write a.jsonl: no space");
        assert_eq!(with_causes(&RemoveError::Recent), RemoveError::Recent.to_string());
    }
}
