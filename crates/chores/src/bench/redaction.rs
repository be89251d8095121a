//! Measures the cost of redacting secrets in ordinary text. All text that verger stores is
//! redacted.

use std::fs;
use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

use crate::bench::Bench;
use crate::bench::figures::{Bound, Figure, as_f64, median};
use crate::failure::Failure;

const TEXT: &str = "crates/redact/corpus/independent-ordinary.txt";
/// The bound for redaction in milliseconds per megabyte. It is an absolute time, so it leaves room
/// for a machine of half the speed. Even then, a record of the maximum size of 64 KiB takes 0.7 ms.
const MS_PER_MB: f64 = 10.0;
/// The number of rounds. Many are needed, because a round takes only milliseconds and other
/// programs may disturb it.
const ROUNDS: usize = 151;

pub(crate) fn redaction(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let path = bench.root.join(TEXT);
    let text = fs::read_to_string(&path).map_err(|source| Failure::Read { path, source })?;
    let megabytes = as_f64(text.len()) / 1e6;
    let rounds: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let start = cpu_ms();
            black_box(verger_redact::find(black_box(&text), &[]));
            (cpu_ms() - start) / megabytes
        })
        .collect();
    Ok(vec![Figure {
        name: "redact ordinary text",
        value: median(&rounds),
        unit: "ms/MB",
        bound: Bound::AtMost(MS_PER_MB),
        detail: format!("{megabytes:.1} MB, CPU time, median of {ROUNDS} rounds"),
    }])
}

/// The CPU time of this thread, in milliseconds.
pub(crate) fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "a process does not run for 2^52 seconds")]
    let (seconds, nanoseconds) = (time.tv_sec as f64, time.tv_nsec as f64);
    seconds * 1e3 + nanoseconds / 1e6
}
