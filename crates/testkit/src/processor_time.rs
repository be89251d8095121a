//! The CPU time of some work, which doesn't depend on the machine's other load.

use std::fs;

/// The CPU time in milliseconds that this thread uses for the work. 0 if the system doesn't report
/// it.
pub fn processor_ms(work: impl FnOnce()) -> u64 {
    let before = thread_ms();
    work();
    match (before, thread_ms()) {
        (Some(before), Some(after)) => after - before,
        _ => 0,
    }
}

fn thread_ms() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? / 1_000_000)
}
