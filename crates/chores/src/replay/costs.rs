//! Measures the costs of a replay: CPU time per hook call and bytes on disk per session.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use crate::replay::percentile::percentile;

#[derive(Debug, Default)]
pub(crate) struct Costs {
    cpu: BTreeMap<String, Vec<Duration>>,
    bytes: Vec<SessionBytes>,
}

/// The growth of verger's own directory during a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionBytes {
    pub(crate) session: String,
    pub(crate) bytes: u64,
}

impl Costs {
    pub(crate) fn call(&mut self, event: &str, cpu: Duration) {
        self.cpu.entry(event.to_owned()).or_default().push(cpu);
    }

    pub(crate) fn session(&mut self, session: &str, bytes: u64) {
        self.bytes.push(SessionBytes { session: session.to_owned(), bytes });
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (event, cpu) in other.cpu {
            self.cpu.entry(event).or_default().extend(cpu);
        }
        self.bytes.extend(other.bytes);
    }

    pub(crate) fn calls(&self) -> usize {
        self.cpu.values().map(Vec::len).sum()
    }

    fn kinds(&self) -> Vec<CpuOfKind> {
        let all = self.cpu.values().flatten().copied().collect::<Vec<_>>();
        let kinds = self.cpu.iter().map(|(event, cpu)| CpuOfKind::of(event, cpu));
        std::iter::once(CpuOfKind::of("all", &all)).chain(kinds).collect()
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::from(
            "CPU time per hook call, user and system, with children that it waited for (ms)\n",
        );
        for CpuOfKind { event, calls, p50, p99, max } in self.kinds() {
            let [p50, p99, max] = [p50, p99, max].map(|time| time.as_secs_f64() * 1000.0);
            // Writing to a String cannot fail.
            writeln!(
                text,
                "  {event:<19} {calls:>6} calls  p50 {p50:7.2}  p99 {p99:7.2}  max {max:8.2}"
            )
            .unwrap_or_default();
        }
        let (mean, max) = self.bytes_per_session();
        let largest = max.map_or(0, |largest| largest.bytes);
        let id = max.map_or("", |largest| &largest.session);
        writeln!(text, "bytes per session, without the index: mean {mean}, max {largest} ({id})")
            .unwrap_or_default();
        text
    }

    fn bytes_per_session(&self) -> (u64, Option<&SessionBytes>) {
        let sum: u64 = self.bytes.iter().map(|one| one.bytes).sum();
        let mean = sum.checked_div(self.bytes.len() as u64).unwrap_or_default();
        (mean, self.bytes.iter().max_by_key(|one| one.bytes))
    }

    pub(crate) fn json(&self) -> Value {
        let kinds = self.kinds().into_iter().map(|kind| {
            let [p50, p99, max] = [kind.p50, kind.p99, kind.max].map(|time| time.as_micros());
            let figures = json!({ "calls": kind.calls, "p50_us": micros(p50), "p99_us": micros(p99), "max_us": micros(max) });
            (kind.event, figures)
        });
        let (mean, _) = self.bytes_per_session();
        let bytes: BTreeMap<_, _> =
            self.bytes.iter().map(|one| (&one.session, one.bytes)).collect();
        json!({
            "cpu": kinds.collect::<serde_json::Map<_, _>>(),
            "bytes_per_session": { "mean": mean, "sessions": bytes },
        })
    }
}

fn micros(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

struct CpuOfKind {
    event: String,
    calls: usize,
    p50: Duration,
    p99: Duration,
    max: Duration,
}

impl CpuOfKind {
    fn of(event: &str, cpu: &[Duration]) -> Self {
        Self {
            event: event.to_owned(),
            calls: cpu.len(),
            p50: percentile(cpu, 50),
            p99: percentile(cpu, 99),
            max: percentile(cpu, 100),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_listed_for_all_calls_and_by_event() {
        let mut costs = Costs::default();
        costs.call("Stop", Duration::from_micros(1500));
        costs.call("Stop", Duration::from_micros(2500));
        costs.call("PreToolUse", Duration::from_micros(500));
        costs.session("s1", 10);
        costs.session("s2", 30);
        let expected = json!({
            "cpu": {
                "all": { "calls": 3, "p50_us": 1500, "p99_us": 2500, "max_us": 2500 },
                "PreToolUse": { "calls": 1, "p50_us": 500, "p99_us": 500, "max_us": 500 },
                "Stop": { "calls": 2, "p50_us": 1500, "p99_us": 2500, "max_us": 2500 },
            },
            "bytes_per_session": { "mean": 20, "sessions": { "s1": 10, "s2": 30 } },
        });
        assert_eq!(costs.json(), expected);
        assert!(
            costs.text().ends_with("bytes per session, without the index: mean 20, max 30 (s2)\n")
        );
    }
}
