//! Finds the processes of a test by the `HOME` with which they were started.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long to wait until killed processes have ended, and for processes that they were starting.
const LIMIT: Duration = Duration::from_secs(5);

/// Kills every process whose environment has this `HOME`, wherever it is in the process tree.
///
/// A process group isn't enough, because a child leaves it when it starts its own session, as
/// background work does. Such a child still inherits the environment. On systems without `/proc`
/// this does nothing.
pub fn kill_all_with_home(home: &Path) {
    let deadline = Instant::now() + LIMIT;
    loop {
        let found = with_home(home);
        if found.is_empty() || Instant::now() > deadline {
            return;
        }
        for process in found {
            // The process may have ended already.
            let _ended = kill_process(process, Signal::KILL);
        }
        thread::yield_now();
    }
}

fn with_home(home: &Path) -> Vec<Pid> {
    let wanted = format!("HOME={}", home.display());
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
        .filter(|process| {
            // The environment of other users' processes can't be read.
            let environment = fs::read(format!("/proc/{}/environ", process.as_raw_nonzero()));
            environment.is_ok_and(|environment| {
                environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
            })
        })
        .collect()
}
