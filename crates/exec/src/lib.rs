//! Runs other programs for all of verger. A program gets only the given environment, limited time
//! and limited output, and never outlives its caller. A program that must outlive its caller runs
//! as a [`detached`] job within the same limits.
//!
//! Every hook call runs git with this crate, so a run must be cheap: it costs one thread and
//! returns as soon as the program ends.

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
