//! Measures the cost of one hook call: compared with a program that only parses, and in a long
//! session compared with a short one.

use verger_store::{Options, SegmentName};
use verger_store_local::LocalStore;

use crate::bench::Bench;
use crate::bench::calls::{Place, Plan, Times};
use crate::bench::figures::{Bound, Figure, as_f64, mean, median};
use crate::bench::sample;
use crate::failure::Failure;

pub(crate) const SHORT: usize = 2_000;
pub(crate) const LONG: usize = 50_000;
pub(crate) const WARM_UP: usize = 20;
const MEMORY_CALLS: usize = 40;

pub(crate) const CALL: [&str; 2] = ["claude", "PreToolUse"];

/// The bound for wall time, as a ratio to the program that only parses. An agent waits for the hook
/// on every event. Twice the time of that program is about 1 ms, which no agent notices.
const NO_OPINION_WALL: f64 = 2.0;
/// The bound for CPU time, as a ratio to the program that only parses. The ratio of CPU times is
/// higher than that of wall times, because wall time includes the launcher's waiting for either
/// program. It is 2.0 to 2.1 where the ratio of wall times is 1.9 to 2.0.
const NO_OPINION_CPU: f64 = 2.2;

pub(crate) fn no_opinion(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let mut place = Place::new(&bench.folder)?;
    let session = seeded(&place, 1, SHORT)?;
    let programs = &bench.programs;
    let mut plan = Plan::default();
    for round in 0..bench.args.rounds + WARM_UP {
        let payload = place.payload(&session)?;
        let (home, is_warm) = (place.home(), round >= WARM_UP);
        let hook = if is_warm { "hook" } else { "warm-up" };
        let baseline = if is_warm { "baseline" } else { "warm-up" };
        let mut calls = [
            (hook, &programs.hook, &CALL[..]),
            (baseline, &programs.baseline, &["PreToolUse"][..]),
        ];
        if round % 2 == 1 {
            calls.reverse();
        }
        for (lane, program, arguments) in calls {
            plan.call(lane, &home, &payload, program, arguments);
            plan.go();
        }
    }
    let outcome = plan.run(&programs.launcher, place.path())?;
    let (hook, baseline) = (outcome.times("hook"), outcome.times("baseline"));
    let mut calls = bench.args.rounds + WARM_UP;
    let peak_mib = peak_memory(bench, &mut place, &session, &mut calls)?;
    expect_records(&place, &session, SHORT + calls)?;
    let mut figures = compared(
        ["hook/no-opinion cpu", "hook/no-opinion wall"],
        NO_OPINION_WALL,
        [("hook", &hook), ("baseline", &baseline)],
    );
    figures[0].bound = Bound::AtMost(NO_OPINION_CPU);
    figures.push(Figure {
        name: "hook/no-opinion mean cpu",
        value: mean(&hook.cpu_ms) / mean(&baseline.cpu_ms),
        unit: "x",
        bound: Bound::None,
        detail: "with its share of the calls that replace the snapshot".to_owned(),
    });
    figures.push(Figure {
        name: "hook/no-opinion memory",
        value: peak_mib,
        unit: "MiB",
        bound: Bound::AtMost(8.0),
        detail: format!("peak of {MEMORY_CALLS} calls"),
    });
    Ok(figures)
}

/// Measures the hook's peak memory in a separate run, because the launcher only knows the peak of
/// all programs that it started.
fn peak_memory(
    bench: &Bench<'_>,
    place: &mut Place,
    session: &str,
    calls: &mut usize,
) -> Result<f64, Failure> {
    let mut plan = Plan::default();
    for _ in 0..MEMORY_CALLS {
        let payload = place.payload(session)?;
        plan.call("hook", &place.home(), &payload, &bench.programs.hook, &CALL);
        plan.go();
    }
    *calls += MEMORY_CALLS;
    Ok(plan.run(&bench.programs.launcher, place.path())?.peak_mib)
}

pub(crate) fn long_session(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let mut place = Place::new(&bench.folder)?;
    let sessions = [("long", seeded(&place, 1, LONG)?), ("short", seeded(&place, 2, SHORT)?)];
    let mut plan = Plan::default();
    for round in 0..bench.args.rounds + WARM_UP {
        for turn in 0..sessions.len() {
            let (lane, session) = &sessions[(round + turn) % sessions.len()];
            let lane = if round >= WARM_UP { lane } else { "warm-up" };
            let payload = place.payload(session)?;
            plan.call(lane, &place.home(), &payload, &bench.programs.hook, &CALL);
            plan.go();
        }
    }
    let outcome = plan.run(&bench.programs.launcher, place.path())?;
    let calls = bench.args.rounds + WARM_UP;
    expect_records(&place, &sessions[0].1, LONG + calls)?;
    expect_records(&place, &sessions[1].1, SHORT + calls)?;
    Ok(compared(
        ["hook/long-session cpu", "hook/long-session wall"],
        1.2,
        [("50,000 events", &outcome.times("long")), ("2,000 events", &outcome.times("short"))],
    ))
}

/// Two figures: the CPU time and the wall time of the first lane, as multiples of those of the
/// second lane.
pub(crate) fn compared(
    [cpu, wall]: [&'static str; 2],
    most: f64,
    [(name, ours), (other_name, other)]: [(&str, &Times); 2],
) -> Vec<Figure> {
    let figure = |figure_name, ours: &[f64], other: &[f64]| Figure {
        name: figure_name,
        value: median(ours) / median(other),
        unit: "x",
        bound: Bound::AtMost(most),
        detail: format!(
            "median {:.3} ms ({name}) and {:.3} ms ({other_name}), {} calls each",
            median(ours),
            median(other),
            ours.len()
        ),
    };
    vec![figure(cpu, &ours.cpu_ms, &other.cpu_ms), figure(wall, &ours.wall_ms, &other.wall_ms)]
}

/// Writes a session with this number of records to the log. Returns the session's id, which has the
/// form of real agents' ids.
pub(crate) fn seeded(place: &Place, number: usize, records: usize) -> Result<String, Failure> {
    let session = format!("f0357e9b-fb48-41a1-afb7-{number:012x}");
    let store = LocalStore::open(&place.data(), Options::default())?;
    let key = sample::key(&session).ok_or(Failure::NoSuchAgent)?;
    sample::fill(&store, &key, 0..records)?;
    Ok(session)
}

/// Checks that every call added its record to the log. Otherwise the measurement is wrong.
fn expect_records(place: &Place, session: &str, records: usize) -> Result<(), Failure> {
    let store = LocalStore::open(&place.data(), Options::default())?;
    let key = sample::key(session).ok_or(Failure::NoSuchAgent)?;
    let report = store.verify(&SegmentName::Session(key.file_stem()))?;
    let found = report.records + report.spilled;
    if found == records as u64 && report.faults.is_empty() {
        return Ok(());
    }
    let line = format!("{found} of {} records, {} faults", as_f64(records), report.faults.len());
    Err(Failure::NotMeasured { line })
}
