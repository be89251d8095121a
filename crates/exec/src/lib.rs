//! Runs other programs; verger has no other way to do so. A program gets only the given
//! environment, limited time and limited output, and is never left running. A program that must
//! outlive its caller runs as a [`detached`] job within the same limits.
//!
//! Every hook call uses this crate through `worktree`. So a run costs one thread, and waits no
//! longer than the program itself runs.

mod deadline;
pub mod detached;
mod left_behind;
mod lookup;
mod program;
mod running;

pub use deadline::Deadline;
pub use left_behind::{begin_session, leave_behind};
pub use lookup::find_program;
pub use program::Program;
pub use running::{Output, RunError, Running};
