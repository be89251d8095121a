//! A stopped process has the lock. Hooks must still answer, and their records are spilled until
//! they can be merged.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::bench::calls::Place;
use crate::bench::sample;
use crate::failure::Failure;
use crate::soak::Soak;
use crate::soak::hooks::{Answer, counted, start};
use crate::soak::outcome::Outcome;
use crate::soak::progress::{self, Progress, Step};
use crate::soak::writer::{self, WriterArgs};

const SESSION: &str = "held-up";
const OTHER_SESSION: &str = "free";
const START_UP_CALLS: usize = 20;
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn stopped(soak: &Soak) -> Result<Outcome, Failure> {
    let seconds = soak.extent.stopped_seconds;
    let what = format!(
        "The holder of a session's lock stopped for {seconds} s, hooks called on that session meanwhile."
    );
    let mut outcome = Outcome::new("stopped", what);
    let mut place = Place::new(&std::env::temp_dir())?;
    let mut start_up = Duration::ZERO;
    for _ in 0..START_UP_CALLS {
        start_up = start_up.max(call(soak, &mut place, OTHER_SESSION)?.took);
    }
    let (mut progress, mut holder) = hold(soak, &place)?;
    let pid = Pid::from_child(&holder);
    signal(pid, Signal::STOP)?;
    let until = Instant::now() + Duration::from_secs(seconds);
    let (mut calls, mut loud, mut slowest) = (0_u64, 0, Duration::ZERO);
    while Instant::now() < until {
        let answer = call(soak, &mut place, SESSION)?;
        calls += 1;
        loud += usize::from(!answer.is_silent);
        slowest = slowest.max(answer.took);
    }
    let (_, spilled, _) = counted(&place, SESSION)?;
    signal(pid, Signal::CONT)?;
    drop(holder.stdin.take());
    progress.listen(Instant::now() + PATIENCE, |_| false)?;
    holder.wait().map_err(Failure::Pipe)?;
    let next = call(soak, &mut place, SESSION)?;
    let (records, left, faults) = counted(&place, SESSION)?;
    // The two further records are that of the holder and that of the call that merged.
    let expected = calls + 2;
    let limit = Duration::from_millis(soak.extent.answer_ms) + start_up;
    outcome.fact("calls meanwhile", calls);
    outcome.fact("slowest of them", format!("{} ms", slowest.as_millis()));
    outcome.fact("slowest of 20 calls without a wait", format!("{} ms", start_up.as_millis()));
    outcome.fact("records in spill before the holder went on", spilled);
    outcome.fact("records in the log after the next call", records);
    outcome.fact("records lost", expected.saturating_sub(records + left));
    outcome.fact("records still in spill", left);
    outcome.expect(slowest <= limit, || format!("a call took {} ms", slowest.as_millis()));
    outcome.expect(loud == 0 && next.is_silent, || format!("{loud} calls failed or spoke"));
    outcome.expect(spilled == calls, || format!("{spilled} of {calls} records in spill"));
    outcome.expect(records == expected && left == 0, || {
        format!("{records} of {expected} records in the log, {left} in spill")
    });
    outcome.expect(progress.acknowledged.len() == 1, || "the holder lost its record".to_owned());
    outcome.expect(faults == 0, || format!("{faults} faults in the log"));
    Ok(outcome)
}

fn call(soak: &Soak, place: &mut Place, session: &str) -> Result<Answer, Failure> {
    let payload = place.payload(session)?;
    start(&soak.hook, place, &payload)?.finish()
}

/// Starts a process that takes the session's lock and holds it until its standard input ends.
fn hold(soak: &Soak, place: &Place) -> Result<(Progress, Child), Failure> {
    let key = sample::key(SESSION).ok_or(Failure::NoSuchAgent)?;
    let (mut progress, pipe) = Progress::new(2)?;
    let args = WriterArgs { records: Some(1), hold: true, ..writer::plain(place.data(), &key) };
    let mut command = Command::new(&soak.myself);
    command.args(writer::arguments(&args)).stdin(Stdio::piped());
    let holder = progress::start(command, &pipe)?;
    let is_inside = |so_far: &Progress| so_far.last[args.writer] == Some(Step::Inside);
    progress.listen(Instant::now() + PATIENCE, is_inside)?;
    Ok((progress, holder))
}

fn signal(pid: Pid, signal: Signal) -> Result<(), Failure> {
    kill_process(pid, signal).map_err(|error| Failure::Pipe(error.into()))
}
