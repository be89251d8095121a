//! A program that outlives whoever started it: a job.
//!
//! An agent's shell kills a command, with everything below it, after some minutes. So a program that
//! may take longer is run by a *supervisor*: our own program started again, in a session of its own
//! and below nobody. The supervisor keeps the program within its limits and puts how it ended into
//! the job's directory; whoever wants to know attaches, as often as they like.
//!
//! ```text
//! order    what to run, within which limits
//! input    the program's standard input
//! lock     locked by the supervisor for as long as it lives
//! begun    the supervisor's process, written under the lock
//! stdout   what the program wrote, cut at the limit
//! stderr   the same
//! status   how it ended; written last, whole
//! ```
//!
//! Nobody but a supervisor ever takes the lock, so it says without doubt whether one lives: a number
//! of a process can be another's by now. Files are 0600, directories 0700.

mod ending;
mod files;
mod job;
mod nesting;
mod order;
mod program_output;
mod remains;
mod supervisor;

pub use ending::{Ending, Report};
pub use job::{Attached, Job, JobState, StartError};
pub use nesting::{DEPTH_VARIABLE, JOB_VARIABLE, depth, job_above};
pub use order::Order;
pub use program_output::{Limits, Ran, run_within};
pub use supervisor::{SuperviseError, Supervisor, supervise};
