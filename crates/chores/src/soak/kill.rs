//! Kills many writers of one session at random moments. All acknowledged records must be in the
//! log.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::bench::sample;
use crate::failure::Failure;
use crate::soak::Soak;
use crate::soak::audit::{Audit, audit};
use crate::soak::outcome::Outcome;
use crate::soak::progress::{self, Progress, Step};
use crate::soak::seeded::Seeded;
use crate::soak::writer::{self, Payload, WriterArgs};

const WRITERS: usize = 32;
const SESSION: &str = "killed";
/// The maximum time between two kills, in microseconds.
const MAX_GAP_US: u64 = 6_000;
/// The maximum time between choosing a writer and killing it, in microseconds.
const MAX_DELAY_US: u64 = 500;
/// The maximum time to wait for a writer to get the lock. After that, any writer may be killed.
const AIM: Duration = Duration::from_millis(100);
/// The maximum time to wait until all writers have started.
const GET_GOING: Duration = Duration::from_secs(20);

#[derive(Default)]
struct Totals {
    runs: u64,
    acknowledged: usize,
    spilled: usize,
    kills: usize,
    in_between: usize,
    records: u64,
    lost: usize,
    bad_lines: usize,
    merged_later: u64,
}

pub(crate) fn kill(soak: &Soak) -> Result<Outcome, Failure> {
    let what = format!(
        "{WRITERS} writers on one session, every one killed with SIGKILL at a chosen moment; a part of the records must outlive \
         the session, a part is too large for a line."
    );
    let mut outcome = Outcome::new("kill", what);
    let mut all = Totals::default();
    for (name, payload) in [("300 B", Payload::Small), ("64 KiB", Payload::Large)] {
        let mut totals = Totals::default();
        for run in 0..soak.extent.kill_runs {
            let seed =
                soak.seed.wrapping_mul(1_000_003) + run * 2 + u64::from(payload == Payload::Large);
            let faults = kill_run(&soak.myself, payload, seed, &mut totals)?;
            for fault in faults {
                outcome.fault(format!("{name}, seed {seed}: {fault}"));
            }
        }
        totals.state(name, &mut outcome);
        all.kills += totals.kills;
        all.in_between += totals.in_between;
    }
    outcome.expect(all.in_between * 3 >= all.kills, || {
        format!("only {} of {} kills between lock and answer", all.in_between, all.kills)
    });
    Ok(outcome)
}

impl Totals {
    fn state(&self, name: &str, outcome: &mut Outcome) {
        let mut fact =
            |label: &str, value: String| outcome.fact(&format!("{name}: {label}"), value);
        fact("runs", self.runs.to_string());
        fact("acknowledged", self.acknowledged.to_string());
        fact("acknowledged and lost", self.lost.to_string());
        fact("killed processes", self.kills.to_string());
        fact("of these between lock and answer", self.in_between.to_string());
        fact("bad lines", self.bad_lines.to_string());
        fact("spilled instead of logged", self.spilled.to_string());
        fact("spilled and merged by a later turn", self.merged_later.to_string());
        fact("records in the logs", self.records.to_string());
    }

    fn add(&mut self, audit: &Audit, progress: &Progress) {
        self.runs += 1;
        self.acknowledged += progress.acknowledged.len();
        self.spilled += progress.spilled;
        self.records += audit.records;
        self.lost += audit.lost;
        self.bad_lines += audit.bad_lines;
        self.merged_later += audit.spilled;
    }
}

fn kill_run(
    myself: &Path,
    payload: Payload,
    seed: u64,
    totals: &mut Totals,
) -> Result<Vec<String>, Failure> {
    let mut seeded = Seeded::new(seed);
    let folder = tempfile::tempdir().map_err(Failure::Pipe)?;
    let data = folder.path().join("data");
    let key = sample::key(SESSION).ok_or(Failure::NoSuchAgent)?;
    let (mut progress, pipe) = Progress::new(WRITERS)?;
    let mut alive = Vec::new();
    for writer in 0..WRITERS {
        let args = WriterArgs {
            writer,
            seed: seeded.next(),
            payload,
            // Some writers stop waiting for the lock early, so that records are spilled often.
            lock_wait_ms: if seeded.is_one_in(16) { 20 } else { 200 },
            pauses: true,
            durable: true,
            ..writer::plain(data.clone(), &key)
        };
        let mut command = Command::new(myself);
        command.args(writer::arguments(&args)).stdin(Stdio::null());
        alive.push((writer, progress::start(command, &pipe)?));
    }
    drop(pipe);
    let going = 100 + seeded.index(300);
    progress.listen(Instant::now() + GET_GOING, |so_far| so_far.acknowledged.len() >= going)?;
    while !alive.is_empty() {
        let gap = Duration::from_micros(seeded.below(MAX_GAP_US));
        progress.listen(Instant::now() + gap, |_| false)?;
        let victim = choose(&mut progress, &alive, &mut seeded)?;
        // The kill comes after a random delay. Without the delay, every kill would follow a report
        // immediately, and none would happen during a write.
        let delay = Duration::from_micros(seeded.below(MAX_DELAY_US));
        progress.listen(Instant::now() + delay, |_| false)?;
        let (writer, child) = alive.swap_remove(victim);
        end(child)?;
        progress.drain()?;
        totals.kills += 1;
        totals.in_between += usize::from(progress.last[writer] == Some(Step::Inside));
    }
    progress.listen(Instant::now() + GET_GOING, |_| false)?;
    let audit = audit(&data, &key, &progress.acknowledged, WRITERS)?;
    totals.add(&audit, &progress);
    let mut faults = audit.faults;
    if audit.lost > 0 {
        faults.push(format!("{} acknowledged records lost", audit.lost));
    }
    if progress.refused > 0 {
        faults.push(format!("{} records refused", progress.refused));
    }
    Ok(faults)
}

/// Chooses the writer to kill: a writer between lock and answer if there is one, but sometimes any
/// writer.
fn choose(
    progress: &mut Progress,
    alive: &[(usize, Child)],
    seeded: &mut Seeded,
) -> Result<usize, Failure> {
    let inside = |progress: &Progress| {
        let latest = progress.latest?;
        let is_inside = progress.last[latest] == Some(Step::Inside);
        alive.iter().position(|(writer, _)| is_inside && *writer == latest)
    };
    if !seeded.is_one_in(4) {
        progress.listen(Instant::now() + AIM, |so_far| inside(so_far).is_some())?;
        if let Some(holder) = inside(progress) {
            return Ok(holder);
        }
    }
    Ok(seeded.index(alive.len()))
}

fn end(mut child: Child) -> Result<(), Failure> {
    let ended = child.kill().and_then(|()| child.wait());
    ended.map(drop).map_err(|source| Failure::Start { command: "kill".to_owned(), source })
}
