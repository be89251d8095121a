//! Finding the processes that belong to a test by the `HOME` they were started with.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long to wait for killed processes to be gone, and for those they were just starting.
const LIMIT: Duration = Duration::from_secs(5);

/// Kills every process whose environment has this `HOME`, wherever in the process tree it is.
///
/// A process group does not hold a child that made itself a session of its own, as background work
/// does on purpose; the environment is still inherited. On systems without `/proc` this does
/// nothing.
pub fn kill_all_with_home(home: &Path) {
    let deadline = Instant::now() + LIMIT;
    loop {
        let found = with_home(home);
        if found.is_empty() || Instant::now() > deadline {
            return;
        }
        for process in found {
            // It may have ended in between, which is what is wanted.
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
            // Processes of other users cannot be read, and are not ours.
            let environment = fs::read(format!("/proc/{}/environ", process.as_raw_nonzero()));
            environment.is_ok_and(|environment| {
                environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
            })
        })
        .collect()
}
