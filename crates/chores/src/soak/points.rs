//! Tests that a writer may die at each point of a turn. The runs are repeated with and without
//! spilled records, and with and without records that must outlive the session.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use verger_engine::State;
use verger_event::SessionKey;
use verger_store::{Options, Receipt, Sessions, Turn};
use verger_store_local::LocalStore;

use crate::bench::sample;
use crate::failure::Failure;
use crate::soak::Soak;
use crate::soak::audit::audit;
use crate::soak::outcome::Outcome;
use crate::soak::progress::{self, Progress};
use crate::soak::seeded::Seeded;
use crate::soak::writer::{self, DeathPoint, WriterArgs};

const SESSION: &str = "cut-short";
const SPILLED: usize = 3;
/// The number of records before the writer dies. It is enough for two snapshots.
const RECORDS: usize = 40;
const KILL: i32 = 9;

struct Case {
    point: DeathPoint,
    with_spill: bool,
    durable: bool,
    seed: u64,
}

pub(crate) fn points(soak: &Soak) -> Result<Outcome, Failure> {
    let what = "A writer that kills itself at each point of a turn, with and without spill to merge, with and without records that \
                must outlive the session.";
    let mut outcome = Outcome::new("points", what);
    let (mut cases, mut deaths, mut acknowledged, mut lost, mut bad_lines) = (0, 0, 0, 0, 0);
    for point in DeathPoint::value_variants().iter().copied() {
        for (with_spill, durable) in [(false, false), (false, true), (true, false), (true, true)] {
            for seed in soak.seed..soak.seed + soak.extent.seeds_per_point {
                let case = Case { point, with_spill, durable, seed };
                let found = case.run(&soak.myself)?;
                cases += 1;
                deaths += usize::from(found.died);
                acknowledged += found.acknowledged;
                lost += found.lost;
                bad_lines += found.bad_lines;
                for fault in found.faults {
                    outcome.fault(format!(
                        "{point:?}, spill {with_spill}, durable {durable}, seed {seed}: {fault}"
                    ));
                }
            }
        }
    }
    outcome.fact("writers", cases);
    outcome.fact("died at their point (the others cannot reach it)", deaths);
    outcome.fact("acknowledged", acknowledged);
    outcome.fact("acknowledged and lost", lost);
    outcome.fact("bad lines", bad_lines);
    Ok(outcome)
}

struct Found {
    died: bool,
    acknowledged: usize,
    lost: usize,
    bad_lines: usize,
    faults: Vec<String>,
}

impl Case {
    fn run(&self, myself: &Path) -> Result<Found, Failure> {
        let mut seeded = Seeded::new(self.seed);
        let folder = tempfile::tempdir().map_err(Failure::Pipe)?;
        let data = folder.path().join("data");
        let key = sample::key(SESSION).ok_or(Failure::NoSuchAgent)?;
        let mut acknowledged = prepare(&data, &key, self.with_spill, 1 + seeded.index(40))?;
        let (mut progress, pipe) = Progress::new(2)?;
        let args = WriterArgs {
            seed: seeded.next(),
            records: Some(RECORDS),
            durable: self.durable,
            die_at: Some(self.point),
            // Spilled records are merged only once, so the writer reaches this point only once.
            passes: if self.point == DeathPoint::SpillRemoved { 0 } else { seeded.index(2) },
            ..writer::plain(data.clone(), &key)
        };
        let mut command = Command::new(myself);
        command.args(writer::arguments(&args)).stdin(Stdio::null());
        let mut child = progress::start(command, &pipe)?;
        drop(pipe);
        progress.listen(Instant::now() + Duration::from_secs(30), |_| false)?;
        let status = child
            .wait()
            .map_err(|source| Failure::Start { command: "soak-writer".to_owned(), source })?;
        acknowledged.append(&mut progress.acknowledged);
        let died = status.signal() == Some(KILL);
        let audit = audit(&data, &key, &acknowledged, usize::from(died))?;
        let mut faults = audit.faults;
        if died != self.is_reachable() || !(died || status.success()) {
            faults.push(format!("the writer ended with {status}"));
        }
        if audit.lost > 0 {
            faults.push(format!("{} acknowledged records lost", audit.lost));
        }
        Ok(Found {
            died,
            acknowledged: acknowledged.len(),
            lost: audit.lost,
            bad_lines: audit.bad_lines,
            faults,
        })
    }

    fn is_reachable(&self) -> bool {
        match self.point {
            DeathPoint::SpillRemoved => self.with_spill,
            DeathPoint::Settled => self.durable,
            _ => true,
        }
    }
}

/// Creates a session with some records. If the case requires it, some of them are spilled. Returns
/// the ids of the acknowledged records.
fn prepare(
    data: &Path,
    key: &SessionKey,
    with_spill: bool,
    records: usize,
) -> Result<Vec<String>, Failure> {
    let store = LocalStore::open(data, Options::default())?;
    sample::fill(&store, key, 0..records)?;
    let id = |number| sample::draft(key, number, sample::event(number)).id.to_string();
    let mut acknowledged: Vec<_> = (0..records).map(id).collect();
    if with_spill {
        let held = store.open::<State>(key)?;
        let impatient = Options { lock_wait: Duration::ZERO, ..Options::default() };
        let impatient = LocalStore::open(data, impatient)?;
        for number in records..records + SPILLED {
            let draft = sample::draft(key, number, sample::event(number));
            let receipt = impatient.open::<State>(key)?.commit(vec![draft])?;
            debug_assert_eq!(receipt, Receipt::Spilled);
            acknowledged.push(id(number));
        }
        drop(held);
    }
    Ok(acknowledged)
}
