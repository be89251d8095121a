//! The one way in which verger runs another program: with the environment it is given and nothing
//! inherited, for a bounded time, with bounded output, and never left behind; or, where a program must
//! outlive whoever asked for it, as a [`detached`] job, within the same limits.
//!
//! Part of every hook call through `worktree`, so it costs one thread and no more waiting than the
//! program itself.

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
