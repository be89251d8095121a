//! The hook program as a whole: under the real coding agent, and under everything that can go
//! wrong around it.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "all of this is test code, also the functions that are not tests; some measure time"
)]

mod claude_answers;
mod claude_sessions;
mod log;
mod stage;
