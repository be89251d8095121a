//! Replays the sessions of one file in one home, and passes every hook call to the counters.

use std::path::PathBuf;

use serde_json::Value;

use crate::replay::ReplayError;
use crate::replay::claims::{ClaimProbe, Claims, LastMessage};
use crate::replay::costs::Costs;
use crate::replay::drift::Drift;
use crate::replay::failures::Failures;
use crate::replay::guard::Guard;
use crate::replay::log_tail::LogTail;
use crate::replay::offers::Offers;
use crate::replay::place::{Programs, ReplayPlace};
use crate::replay::progress::Progress;
use crate::replay::session_file::{Session, SessionFile};

/// Settings with which verger judges and records everything and blocks nothing.
const SETTINGS: &str = "\
[drift]
mode = \"observe\"
[guard]
mode = \"observe\"
[verification]
mode = \"claims\"
[review]
mode = \"never\"
[learning]
mode = \"off\"
";

/// The parameters of a replay.
pub(crate) struct Plan {
    pub(crate) programs: Programs,
    pub(crate) is_trusted: bool,
    /// The directory in which the temporary directories are created.
    pub(crate) parent: PathBuf,
}

/// A hook call of a replay, as it is passed to the counters.
pub(crate) struct Seen<'a> {
    pub(crate) session: &'a str,
    /// The name of the event, as the client calls it.
    pub(crate) event: &'a str,
    /// The payload with placeholders for paths.
    pub(crate) payload: &'a Value,
    pub(crate) answer: Option<&'a Value>,
    /// The records that the call added to the session's log, as stored JSON.
    pub(crate) records: &'a [Value],
}

impl Seen<'_> {
    /// A text field of the payload. Empty if the payload has no such field.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.payload.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

/// The counts of all kinds, such as drift and the guard.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) files: Vec<String>,
    pub(crate) sessions: usize,
    pub(crate) failures: Failures,
    pub(crate) drift: Drift,
    pub(crate) offers: Offers,
    pub(crate) claims: Claims,
    pub(crate) guard: Guard,
    pub(crate) costs: Costs,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Self) {
        self.files.extend(other.files);
        self.sessions += other.sessions;
        self.failures.add(other.failures);
        self.drift.add(other.drift);
        self.offers.add(other.offers);
        self.claims.add(other.claims);
        self.guard.add(other.guard);
        self.costs.add(other.costs);
    }

    /// Sorts all lists by session, so that the results of two replays can be compared line by line.
    pub(crate) fn sort(&mut self) {
        self.files.sort();
        self.drift.sort();
        self.offers.sort();
        self.claims.sort();
        self.guard.sort();
    }
}

/// Replays the sessions of a file, one after the other.
pub(crate) fn run_file(
    plan: &Plan,
    file: &SessionFile,
    progress: &Progress,
) -> Result<Counts, ReplayError> {
    let place = ReplayPlace::new(&plan.parent, &plan.programs, SETTINGS)?;
    if plan.is_trusted {
        place.trust()?;
    }
    let log = LogTail::new(place.log());
    let counts = Counts { files: vec![file.name.clone()], ..Counts::default() };
    let mut run = Run { place, log, probe: ClaimProbe::new(plan)?, counts };
    for session in file.sessions()? {
        let before = run.place.bytes();
        run.session(&session, || progress.event(&file.name))?;
        let grown = run.place.bytes().saturating_sub(before);
        run.counts.costs.session(&session.id, grown);
        run.counts.sessions += 1;
    }
    Ok(run.counts)
}

struct Run {
    place: ReplayPlace,
    log: LogTail,
    probe: ClaimProbe,
    counts: Counts,
}

impl Run {
    fn session(&mut self, session: &Session, done: impl Fn()) -> Result<(), ReplayError> {
        let mut prompt = String::new();
        self.counts.drift.begin(&session.id);
        for event in &session.events {
            let filled = self.place.fill(&event.payload);
            let payload: Value = serde_json::from_str(&event.payload).unwrap_or_default();
            if let Some(cwd) = payload.get("cwd").and_then(Value::as_str) {
                self.place.make_directory(&self.place.fill(cwd))?;
            }
            let call = self.place.hook(&event.name, &filled)?;
            let records = self
                .log
                .new_records(&session.id)
                .map_err(|source| ReplayError::Read { path: self.place.log(), source })?;
            let answer = call.answer();
            let seen = Seen {
                session: &session.id,
                event: &event.name,
                payload: &payload,
                answer: answer.as_ref(),
                records: &records,
            };
            let counts = &mut self.counts;
            counts.costs.call(&event.name, call.cpu);
            counts.failures.observe(&seen, &call);
            counts.drift.observe(&seen);
            counts.offers.observe(&seen);
            counts.guard.observe(&seen);
            match event.name.as_str() {
                "UserPromptSubmit" => {
                    seen.text("prompt").clone_into(&mut prompt);
                    self.limits(&session.id, &prompt);
                }
                "Stop" => {
                    let message = seen.text("last_assistant_message").to_owned();
                    let is_claim = self.probe.is_claim(&prompt, &message)?;
                    let (session, prompt) = (session.id.clone(), prompt.clone());
                    let message = LastMessage { session, prompt, message, is_claim };
                    self.counts.claims.messages.push(message);
                }
                _ => {}
            }
            done();
        }
        self.counts.drift.close();
        Ok(())
    }

    /// Reads the limits that apply after a prompt, with `verger drift --json`.
    fn limits(&mut self, session: &str, prompt: &str) {
        let asked = ["drift", "--json", "--limit", "1", "--session", session];
        match self.place.verger(&asked) {
            Ok(shown) => {
                let shown = serde_json::from_str(&shown).unwrap_or_default();
                self.counts.drift.limits_after(session, prompt, &shown);
            }
            Err(error) => self.counts.failures.command(session, &error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::json;

    use super::*;
    use crate::replay::labels::Labels;
    use crate::replay::report::Report;

    /// The script of a fake hook. It denies `rm`, gives every other call a bad score, and refuses
    /// stops in the home that measures claims.
    const HOOK: &str = r#"#!/bin/sh
log=$VERGER_HOME/data/log/aa
mkdir -p "$log"
case "$(cat)" in
*'rm -rf'*) echo '{"kind":"guard.judged","payload":{"triage":"deny","rule":"remove-tree"}}' ;;
*) echo '{"kind":"gate.changed","payload":{"gate":"drift","change":{"score":5},"cause":"pushed"}}' ;;
esac >> "$log/one.jsonl"
if [ "$2" = Stop ] && grep -q undo "$VERGER_HOME/config/config.toml"; then echo '{"decision":"block"}'; fi
"#;
    const VERGER: &str = "#!/bin/sh\necho '{\"task\": {\"constraints\": [\"do not push\"]}}'\n";

    fn program(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_session_is_run_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        program(folder.path(), "verger-hook", HOOK);
        program(folder.path(), "verger", VERGER);
        let line = |name: &str, mut payload: Value| {
            payload["cwd"] = json!("@P@/sub");
            json!({ "event": name, "payload": payload }).to_string()
        };
        let command =
            |command: &str| json!({ "tool_name": "Bash", "tool_input": { "command": command } });
        let lines = [
            json!({ "meta": { "session": "s1", "started": "2026-01-01T00:00:00Z" } }).to_string(),
            line("UserPromptSubmit", json!({ "prompt": "mend it, do not push" })),
            line("PreToolUse", command("rm -rf @P@/src")),
            line("PreToolUse", command("git push")),
            line("Stop", json!({ "last_assistant_message": "The work is done." })),
        ];
        let file = File::create(folder.path().join("a+b.jsonl.gz")).unwrap();
        let mut gzip = GzEncoder::new(file, Compression::fast());
        gzip.write_all(lines.join("\n").as_bytes()).unwrap();
        gzip.finish().unwrap();

        let plan = Plan {
            programs: Programs::in_folder(folder.path()).unwrap(),
            is_trusted: true,
            parent: folder.path().to_owned(),
        };
        let files = SessionFile::all_in(folder.path(), None, None).unwrap();
        let counts = run_file(&plan, &files[0], &Progress::new(&files)).unwrap();
        let report = Report { counts: &counts, labels: &Labels::default(), is_trusted: true };
        let text = report.text();
        let (before_costs, _) = text.split_once("\nCPU time").unwrap();
        let expected = "\
1 sessions of 1 projects, 4 events, 1 prompts; projects trusted

failures: 0
warnings: 0
held in spite of observing: 0

drift
  limits read   1 out of 1 prompts
    s1  do not push [no label]
  scores        5: 3
  findings      nudge 0, correct 2, intervene 0, halt 0 (bad scores in a row are one finding, by the worst)
  sessions hit  1 of 1 (100.0 %) by correct or worse
  sessions hit  0 of 1 (0.0 %) by halt
    s1  correct, prompt 0: pushed [no label]
    s1  correct, prompt 1: pushed [no label]

tasks offered
  prompts with an offer  0 of 1 (0.0 %)
  characters per offer   p50 0, max 0
  \"decided:\" lines       0

claims
  all: detected 1 of 1 (100.0 %)
  en: detected 1 of 1 (100.0 %)

guard: 2 commands
  allow       0 of 2 (0.0 %)
  ask         0 of 2 (0.0 %)
  deny        1 of 2 (50.0 %)
  no opinion  1 of 2 (50.0 %)
  denied commands: 1
    s1  remove-tree: rm -rf @P@/src
";
        assert_eq!(before_costs, expected);
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert_eq!(left.len(), 3, "the throw-away directories are removed: {left:?}");
    }
}
