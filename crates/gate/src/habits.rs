//! Habits: actions that agents repeat and that a project doesn't want, such as staging everything,
//! signing commits with the agent's name, or force-pushing over the work of others.
//!
//! Every habit is a rule with a name, words for the agent, and examples that the tests run. A rule
//! matches the parsed commands of a command line, so the spelling doesn't matter. The settings
//! choose the reaction to each habit: none, one message, a rewritten call, or a denial. Habits
//! aren't a security measure: a command that can't be parsed passes.

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

/// The name of the guard against habits, in the log and in messages.
pub const GUARD: &str = "habits";
