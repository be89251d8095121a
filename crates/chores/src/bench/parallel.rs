//! Measures the cost of many hooks at the same time on one session, compared with as many on
//! separate sessions.

use verger_store::{Options, SegmentName};
use verger_store_local::LocalStore;

use crate::bench::Bench;
use crate::bench::calls::{Place, Plan};
use crate::bench::figures::{Bound, Figure, as_f64, median, quantile};
use crate::bench::hook::{CALL, seeded};
use crate::bench::sample;
use crate::failure::Failure;

const AT_ONCE: usize = 64;
const ROUNDS: usize = 100;
/// The number of records that every session has before the first round.
const SEEDED: usize = 100;

pub(crate) fn parallel(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let mut place = Place::new(&bench.folder)?;
    let shared = seeded(&place, 0, SEEDED)?;
    let mut own = Vec::new();
    for number in 1..=AT_ONCE {
        own.push(seeded(&place, number, SEEDED)?);
    }
    let mut plan = Plan::default();
    for round in 0..ROUNDS {
        let mut groups = [("shared", vec![shared.as_str(); AT_ONCE]), ("own", borrowed(&own))];
        if round % 2 == 1 {
            groups.reverse();
        }
        for (lane, sessions) in groups {
            for session in sessions {
                let payload = place.payload(session)?;
                plan.call(lane, &place.home(), &payload, &bench.programs.hook, &CALL);
            }
            plan.go();
        }
    }
    let outcome = plan.run(&bench.programs.launcher, place.path())?;
    let (shared_times, own_times) = (outcome.times("shared"), outcome.times("own"));
    let p99 = |values: &[f64]| quantile(values, 0.99);
    let mut counted = Counted::default();
    counted.add(&place, &shared, SEEDED + ROUNDS * AT_ONCE)?;
    let spilled = counted.spilled;
    for session in &own {
        counted.add(&place, session, SEEDED + ROUNDS)?;
    }
    let none = |name, value, detail| Figure {
        name,
        value: as_f64(value),
        unit: "",
        bound: Bound::AtMost(0.0),
        detail,
    };
    Ok(vec![
        Figure {
            name: "hook/parallel p99 wall",
            value: p99(&shared_times.wall_ms) / p99(&own_times.wall_ms),
            unit: "x",
            bound: Bound::AtMost(2.0),
            detail: format!(
                "p99 {:.1} ms (one session) and {:.1} ms ({AT_ONCE} sessions), median {:.1} and {:.1} ms",
                p99(&shared_times.wall_ms),
                p99(&own_times.wall_ms),
                median(&shared_times.wall_ms),
                median(&own_times.wall_ms),
            ),
        },
        none(
            "hook/parallel lost records",
            counted.lost,
            format!("{ROUNDS} rounds of {AT_ONCE} calls at once, twice; {spilled} wait in spill"),
        ),
        none("hook/parallel faults", counted.faults, "lines, numbers and chain".to_owned()),
    ])
}

fn borrowed(sessions: &[String]) -> Vec<&str> {
    sessions.iter().map(String::as_str).collect()
}

#[derive(Default)]
struct Counted {
    lost: usize,
    faults: usize,
    spilled: u64,
}

impl Counted {
    fn add(&mut self, place: &Place, session: &str, expected: usize) -> Result<(), Failure> {
        let store = LocalStore::open(&place.data(), Options::default())?;
        let key = sample::key(session).ok_or(Failure::NoSuchAgent)?;
        let report = store.verify(&SegmentName::Session(key.file_stem()))?;
        let found = usize::try_from(report.records + report.spilled).unwrap_or_default();
        self.lost += expected.saturating_sub(found);
        self.faults += report.faults.len();
        self.spilled += report.spilled;
        Ok(())
    }
}
