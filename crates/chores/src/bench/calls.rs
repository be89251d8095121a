//! Calls of programs for the benchmark. A launcher program starts them and measures their times.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::failure::Failure;

/// The plan for the launcher: the calls, their order, and which of them run at the same time.
#[derive(Default)]
pub(crate) struct Plan(String);

/// The times of the calls in one lane, in milliseconds.
#[derive(Default)]
pub(crate) struct Times {
    pub(crate) cpu_ms: Vec<f64>,
    pub(crate) wall_ms: Vec<f64>,
}

/// A temporary directory for calls, with verger's home, a project and payloads.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    payloads: usize,
}

const CONFIG: &str = "[user]\nname = \"dev\"\n\n[record]\nrole = \"developer\"\n\
    readers = [\"reviewers\"]\n\n[store]\nlock_wait_ms = 200\n\n\
    [redact]\nkey_names = [\"deploy_word\"]\n";

impl Place {
    pub(crate) fn new(parent: &Path) -> Result<Self, Failure> {
        let folder = tempfile::Builder::new()
            .prefix("run-")
            .tempdir_in(parent)
            .map_err(|source| Failure::Write { path: parent.to_owned(), source })?;
        let place = Self { folder, payloads: 0 };
        for folder in ["home/config", "project/.git", "project/src", "payloads"] {
            place.make(folder)?;
        }
        let config = place.home().join("config/config.toml");
        fs::write(&config, CONFIG).map_err(|source| Failure::Write { path: config, source })?;
        Ok(place)
    }

    /// Creates a place whose configuration has the additional lines `more`.
    pub(crate) fn with_config(parent: &Path, more: &str) -> Result<Self, Failure> {
        let place = Self::new(parent)?;
        let path = place.home().join("config/config.toml");
        fs::write(&path, format!("{CONFIG}\n{more}"))
            .map_err(|source| Failure::Write { path: path.clone(), source })?;
        Ok(place)
    }

    fn make(&self, folder: &str) -> Result<(), Failure> {
        let path = self.folder.path().join(folder);
        fs::create_dir_all(&path).map_err(|source| Failure::Write { path, source })
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// verger's data directory in the home of this place.
    pub(crate) fn data(&self) -> PathBuf {
        self.home().join("data")
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes the payload of a new tool call on which no check acts. A repeated call would be
    /// dropped as a duplicate, which costs too little.
    pub(crate) fn payload(&mut self, session: &str) -> Result<PathBuf, Failure> {
        self.shell_call(session, "./check --package parser && ./tidy --short")
    }

    /// Writes the payload of a shell call with this command line.
    pub(crate) fn shell_call(&mut self, session: &str, line: &str) -> Result<PathBuf, Failure> {
        let number = self.payloads + 1;
        self.event(
            session,
            &json!({
                "hook_event_name": "PreToolUse",
                "tool_name": "Bash",
                "tool_input": {
                    "command": line,
                    "description": "Run the parser's tests",
                },
                "tool_use_id": format!("toolu_bench_{number:010}"),
            }),
        )
    }

    /// Writes the payload of an event with the given fields.
    pub(crate) fn event(&mut self, session: &str, own: &Value) -> Result<PathBuf, Failure> {
        self.payloads += 1;
        let number = self.payloads;
        let mut payload = json!({
            "session_id": session,
            "transcript_path": format!("/home/dev/.claude/projects/-home-dev-project/{session}.jsonl"),
            "cwd": self.folder.path().join("project/src"),
            "prompt_id": "2bd08d2a-5a13-49e8-ad72-2acab8747142",
            "permission_mode": "default",
            "effort": { "level": "high" },
        });
        if let (Some(payload), Some(own)) = (payload.as_object_mut(), own.as_object()) {
            payload.extend(own.clone());
        }
        let path = self.folder.path().join(format!("payloads/{number}.json"));
        fs::write(&path, payload.to_string())
            .map_err(|source| Failure::Write { path: path.clone(), source })?;
        Ok(path)
    }
}

impl Plan {
    pub(crate) fn call(
        &mut self,
        lane: &str,
        home: &Path,
        payload: &Path,
        program: &Path,
        arguments: &[&str],
    ) {
        let Self(text) = self;
        let (home, payload, program) = (home.display(), payload.display(), program.display());
        // Writing to a String cannot fail.
        write!(text, "{lane}\t{home}\t{payload}\t{program}").unwrap_or_default();
        for argument in arguments {
            write!(text, "\t{argument}").unwrap_or_default();
        }
        text.push('\n');
    }

    /// Adds a line to the plan that starts all calls since the last `go` at the same time.
    pub(crate) fn go(&mut self) {
        self.0.push_str("go\n");
    }

    /// Adds a line to the plan after which calls find programs only in this directory.
    pub(crate) fn path(&mut self, directory: &Path) {
        // Writing to a String cannot fail.
        writeln!(self.0, "path\t{}", directory.display()).unwrap_or_default();
    }

    pub(crate) fn run(&self, launcher: &Path, place: &Path) -> Result<Outcome, Failure> {
        let path = place.join("plan");
        fs::write(&path, &self.0)
            .map_err(|source| Failure::Write { path: path.clone(), source })?;
        let plan = File::open(&path).map_err(|source| Failure::Read { path, source })?;
        let mut command = Command::new(launcher);
        let output = command
            .stdin(plan)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|source| Failure::Start { command: "spawn_times".to_owned(), source })?;
        if !output.status.success() {
            let command = "spawn_times".to_owned();
            return Err(Failure::Exited { command, status: output.status });
        }
        Outcome::parse(&String::from_utf8_lossy(&output.stdout))
    }
}

/// The launcher's report: the times of all calls and the peak memory.
pub(crate) struct Outcome {
    calls: Vec<(String, f64, f64)>,
    pub(crate) peak_mib: f64,
}

impl Outcome {
    fn parse(text: &str) -> Result<Self, Failure> {
        let mut outcome = Self { calls: Vec::new(), peak_mib: f64::NAN };
        for line in text.lines() {
            let parts: Vec<_> = line.split('\t').collect();
            let number = |text: &str| text.parse::<f64>().ok();
            let read = match parts[..] {
                ["peak", kib] => number(kib).map(|kib| outcome.peak_mib = kib / 1024.0),
                [lane, cpu, wall, "0"] => number(cpu).zip(number(wall)).map(|(cpu, wall)| {
                    outcome.calls.push((lane.to_owned(), cpu / 1e6, wall / 1e6));
                }),
                _ => None,
            };
            read.ok_or_else(|| Failure::NotMeasured { line: line.to_owned() })?;
        }
        Ok(outcome)
    }

    pub(crate) fn times(&self, lane: &str) -> Times {
        let of_lane = self.calls.iter().filter(|(name, ..)| name == lane);
        let (cpu_ms, wall_ms) = of_lane.map(|(_, cpu, wall)| (cpu, wall)).unzip();
        Times { cpu_ms, wall_ms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_launcher_counts() {
        let outcome = Outcome::parse("a\t2000000\t3000000\t0\npeak\t2048\n").unwrap();
        assert_eq!(outcome.times("a").wall_ms, [3.0]);
        assert_eq!(outcome.times("b").cpu_ms, Vec::<f64>::new());
        assert_eq!(outcome.peak_mib.to_string(), "2");
    }

    #[test]
    fn a_call_that_failed_is_no_measurement() {
        let failed = Outcome::parse("a\t2000000\t3000000\t-1\n");
        assert!(matches!(failed, Err(Failure::NotMeasured { line }) if line.ends_with("-1")));
    }
}
