//! Calls of the hook program: many at the same time on one session, and single calls for the other
//! parts of the soak.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use verger_store::{Options, SegmentName};
use verger_store_local::LocalStore;

use crate::bench::calls::Place;
use crate::bench::sample;
use crate::failure::Failure;
use crate::soak::Soak;
use crate::soak::outcome::Outcome;

const AT_ONCE: usize = 64;
const SESSION: &str = "at-once";

/// The result of a hook call. The call must never stop the agent.
pub(crate) struct Answer {
    pub(crate) took: Duration,
    /// Whether the hook exited with 0 and printed nothing.
    pub(crate) is_silent: bool,
}

pub(crate) fn hooks(soak: &Soak) -> Result<Outcome, Failure> {
    let what = format!("{AT_ONCE} hook processes at once on one session, round after round.");
    let mut outcome = Outcome::new("hooks", what);
    let mut place = Place::new(&std::env::temp_dir())?;
    let mut loud = 0;
    for _ in 0..soak.extent.hook_rounds {
        let mut running = Vec::new();
        for _ in 0..AT_ONCE {
            let payload = place.payload(SESSION)?;
            running.push(start(&soak.hook, &place, &payload)?);
        }
        for call in running {
            loud += usize::from(!call.finish()?.is_silent);
        }
    }
    let expected = (soak.extent.hook_rounds * AT_ONCE) as u64;
    let (records, spilled, faults) = counted(&place, SESSION)?;
    outcome.fact("calls", expected);
    outcome.fact("records in the log", records);
    outcome.fact("records in spill", spilled);
    outcome.fact("records lost", expected.saturating_sub(records + spilled));
    outcome.expect(records + spilled == expected, || "records lost or made up".to_owned());
    outcome.expect(faults == 0, || format!("{faults} faults in the log"));
    outcome.expect(loud == 0, || format!("{loud} calls failed or spoke"));
    Ok(outcome)
}

pub(crate) struct Call {
    child: Child,
    started: Instant,
}

/// Starts one call of the hook. Each call needs its own payload, because a repeated payload is
/// dropped as a duplicate.
pub(crate) fn start(hook: &Path, place: &Place, payload: &Path) -> Result<Call, Failure> {
    let unreadable = |source| Failure::Read { path: payload.to_owned(), source };
    let payload = File::open(payload).map_err(unreadable)?;
    let mut command = Command::new(hook);
    command
        .args(["claude", "PreToolUse"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", place.home())
        .env("VERGER_HOME", place.home())
        .stdin(payload)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let started = Instant::now();
    let child = command
        .spawn()
        .map_err(|source| Failure::Start { command: "verger-hook".to_owned(), source })?;
    Ok(Call { child, started })
}

impl Call {
    pub(crate) fn finish(self) -> Result<Answer, Failure> {
        let output = self.child.wait_with_output().map_err(Failure::Pipe)?;
        let took = self.started.elapsed();
        Ok(Answer { took, is_silent: output.status.success() && output.stdout.is_empty() })
    }
}

/// The numbers of the session's records in the log, of its spilled records, and of faults.
pub(crate) fn counted(place: &Place, session: &str) -> Result<(u64, u64, usize), Failure> {
    let store = LocalStore::open(&place.data(), Options::default())?;
    let key = sample::key(session).ok_or(Failure::NoSuchAgent)?;
    let report = store.verify(&SegmentName::Session(key.file_stem()))?;
    Ok((report.records, report.spilled, report.faults.len()))
}
