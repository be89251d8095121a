//! What something costs, whatever else the machine does meanwhile.

use std::fs;

/// The milliseconds for which this thread has a processor while it does this; 0 where the system does
/// not tell.
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
