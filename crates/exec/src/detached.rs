//! Jobs: programs that outlive the process that started them.
//!
//! An agent's shell kills a command after some minutes, together with its child processes. So a
//! program that may take longer runs under a *supervisor*. The supervisor is our own program,
//! started again in its own session and detached from the shell's process tree. It enforces the
//! limits of the program.
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
//! Only a supervisor takes the lock, so a held lock proves that a supervisor lives. A process id
//! proves nothing, because the system may reuse it. Files have mode 0600, directories 0700.

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
