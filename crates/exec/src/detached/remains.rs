//! Ends the processes that a job left running: those in sessions of their own, and all of them if
//! the supervisor was killed.
//!
//! A job's processes are found by a variable that they inherited. A process is opened by its number
//! before its variables are read. So the killed process is always the inspected one, even if the
//! number is reused.

use std::path::Path;

/// Kills every process of the job. Does nothing without `/proc`, because the processes can't be
/// found.
#[cfg(target_os = "linux")]
pub(crate) fn end(job: &Path) {
    use std::os::unix::ffi::OsStrExt;

    use super::nesting::JOB_VARIABLE;

    /// The limit of rounds. More than one is needed, because a process may start another one during
    /// a round.
    const MAX_ROUNDS: usize = 100;
    let wanted = [JOB_VARIABLE.as_bytes(), b"=", job.as_os_str().as_bytes()].concat();
    for _ in 0..MAX_ROUNDS {
        if kill_each(&wanted) == 0 {
            return;
        }
        std::thread::yield_now();
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn end(_: &Path) {}

/// Kills the processes found in one round, and returns their number.
#[cfg(target_os = "linux")]
fn kill_each(wanted: &[u8]) -> usize {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut found = 0;
    for pid in numbers.filter_map(Pid::from_raw) {
        let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
        // Processes of other users are unreadable, and never belong to the job.
        let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()));
        let is_wanted = environment
            .is_ok_and(|bytes| bytes.split(|&byte| byte == 0).any(|variable| variable == wanted));
        if is_wanted && pidfd_send_signal(&process, Signal::KILL).is_ok() {
            found += 1;
        }
    }
    found
}
