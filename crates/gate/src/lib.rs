//! Gates and guards: state machines that refuse an agent's stop or tool call, or allow it.
//!
//! A gate has a state, a list of changes that the log stores, and one pure function. The function
//! maps (state, input, policy, now) to changes and a message. The state is a fold of the changes,
//! so it can be deleted and rebuilt. Each change stores the inputs of its decision: settings, facts
//! and time.
//!
//! [`session_state!`] combines the states of all gates into the state of a session. [`blocks`] has
//! the rules for all gates: a gate can't block an agent forever, and a person can always release
//! the agent.
#![warn(missing_docs)]

// The macro `session_state!` refers to this crate as `verger_gate`, also in this crate's own tests.
#[cfg(test)]
extern crate self as verger_gate;

pub mod asking;
pub mod authority;
pub mod block_template;
pub mod blocks;
mod content;
pub mod delegation;
pub mod drift;
mod excerpt;
mod gate_state;
pub mod habits;
pub mod learning;
mod left_command;
pub mod let_go;
mod line_exit;
mod own_command;
pub mod permission;
#[cfg(test)]
mod played;
pub mod review;
#[cfg(test)]
mod state;
mod stops;
pub mod template;
pub mod template_choice;
mod tool_pattern;
pub mod verification;
mod work;

pub use content::{Content, Difference};
pub use excerpt::{Excerpt, MAX_EXCERPT_BYTES};
pub use gate_state::{
    GateState, Seen, Stateless, StoredChange, apply_change, combined_version, is_default,
    observe_session,
};
pub use left_command::{KEEPING, KeptSince, LEFT_TO_HOOK, LeftCommand, LeftLine, NotRun};
pub use own_command::{OwnCommand, deny_own_command};
#[cfg(test)]
pub(crate) use state::State;
pub use stops::{MAX_STOPS_IN_A_ROW, Stops};
pub use tool_pattern::{BadToolPattern, ToolPattern};
pub use work::{Start, Touched, Work};
