//! Ends the processes that a job left running. These are processes in sessions of their own, or all
//! processes of the job if the supervisor was killed.
//!
//! A job's processes are found by an environment variable that they inherited. A process is opened
//! by its id before its environment is read. So the process that is killed is always the one that
//! was checked, even if the id is reused.

use std::path::Path;

/// Kills every process of the job. Does nothing without `/proc`, because then the processes can't
/// be found.
#[cfg(target_os = "linux")]
pub(crate) fn end(job: &Path) {
    use std::os::unix::ffi::OsStrExt;

    use super::nesting::JOB_VARIABLE;

    /// The maximum number of rounds. More than one is needed, because a process may start another
    /// process during a round.
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

/// Kills all processes whose environment has the variable `wanted`. Returns their number.
#[cfg(target_os = "linux")]
fn kill_each(wanted: &[u8]) -> usize {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut found = 0;
    for pid in numbers.filter_map(Pid::from_raw) {
        let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
        // The environment of another user's process can't be read. Such a process never belongs to
        // the job.
        let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()));
        let is_wanted = environment
            .is_ok_and(|bytes| bytes.split(|&byte| byte == 0).any(|variable| variable == wanted));
        if is_wanted && pidfd_send_signal(&process, Signal::KILL).is_ok() {
            found += 1;
        }
    }
    found
}
