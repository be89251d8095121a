//! Habits: what agents do again and again, and a project does not want. Staging whatever lies around,
//! signing commits with their own name, pushing over what others rely on.
//!
//! Every habit is a rule with a name, words for the agent, and examples that the tests run. What a line
//! runs is matched, in any spelling that the walk over the line can see, never its text. A habit is
//! off, or the agent is told of it once, or the call is changed so that it does without, or it does not
//! happen. These are guards of habit and not of safety: what they cannot see passes.

mod about;
mod add_all;
mod arguments;
mod attribution;
mod branches;
mod builds;
mod committed;
mod draft;
mod git;
mod line;
mod listing;
mod look;
mod merge;
pub mod message;
mod policy;
mod push;
mod rewriting;
mod search;
mod signed;
#[cfg(test)]
mod tests;
mod told;

pub use about::{About, Habit};
pub use committed::{Commit, Scope, commits};
pub use line::{Caller, Scene, Surroundings};
pub use look::{Found, Remedy, look};
pub use policy::{Mode, Outcome, Policy};
pub use rewriting::{Edit, rewritten};
pub use signed::Signatures;
pub use told::Told;

/// The guard's name in the log and in messages.
pub const GUARD: &str = "habits";
