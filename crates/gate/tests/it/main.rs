//! The gates and guards from outside.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod guard_corpus;
