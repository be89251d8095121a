//! `cargo xtask newcomer`: does by the letter what README.md tells a newcomer, up to the first learning,
//! and takes the time.
//!
//! Nothing but the commands of README.md is run, so that a README that has rotted fails. They run
//! in a fresh clone, each on a terminal, with a home that is thrown away. The crates that cargo has
//! downloaded and the toolchain are the machine's own; Claude Code is the real one, and talks to a
//! scripted model.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};
use verger_testkit::{
    ClaudeCode, OnPath, Reply, Script, TerminalSize, TestEnvironment, Upstream, Version,
};

use crate::failure::Failure;
use crate::{install_agents, markdown};
use verger_xtask::Root;

/// Follows README.md from a fresh clone to the first recorded session, and takes the time
#[derive(Args)]
pub(crate) struct NewcomerArgs {}

/// The parts of README.md that lead to a first session, in order.
const INSTALL: &str = "Install";
const FIRST_MINUTE: &str = "The first minute, with Claude Code";
const FIRST_LEARNING: &str = "The first learning";
/// What the second one is called after.
const MINUTE: Duration = Duration::from_mins(1);
/// A release build on a slow machine.
const STEP_LIMIT: Duration = Duration::from_mins(45);

pub(crate) fn newcomer(root: &Root, _: &NewcomerArgs) -> Result<(), Failure> {
    let readme = root.join("README.md");
    let text = fs::read_to_string(&readme)
        .map_err(|source| Failure::Read { path: readme.clone(), source })?;
    let (install, first_minute) = (steps(&text, INSTALL)?, steps(&text, FIRST_MINUTE)?);
    let first_learning = steps(&text, FIRST_LEARNING)?;
    install_agents::install_agents(root)?;
    let upstream = Upstream::start(script());
    let newcomer = Newcomer::arrive(&upstream);
    let cloned = Instant::now();
    newcomer.step(&format!("git clone --quiet {} verger", root.path().display()))?;
    newcomer.steps(&install)?;
    let installed = Instant::now();
    newcomer.steps(&first_minute)?;
    newcomer.has_recorded_a_session()?;
    let took = installed.elapsed();
    newcomer.steps(&first_learning)?;
    newcomer.has_learned_something()?;
    upstream.finish();
    println!(
        "from the clone to the first recorded session: {:.1} s",
        cloned.elapsed().as_secs_f64()
    );
    println!("of these, with the programs installed: {:.1} s", took.as_secs_f64());
    if took <= MINUTE { Ok(()) } else { Err(Failure::LongMinute { took }) }
}

/// What the model says: hello in the first session; in the second it works and, as it is asked to,
/// runs the command that it is shown, with its own findings in place of the example.
fn script() -> Script {
    let notes = json!({ "file_path": "NOTES.txt", "content": "one line\n".repeat(20) });
    let findings = json!({ "candidates": [{
        "category": "process",
        "summary": "The tests need node and npm beside cargo",
        "detail": "`cargo xtask test` fetches the agents' programs with npm before it runs anything.",
        "criteria": ["stable_fact"],
        "tags": ["tests", "setup"],
    }] });
    Script::new()
        .step(Reply::text("Hello."))
        .step(Reply::tool_use("Write", notes))
        .step(Reply::text("Done."))
        .step_with(move |request| {
            let told = request.text_between("verger reflect ", "\n").unwrap_or_default();
            let command = format!("verger reflect {told}\n{findings}\nEND\n");
            Reply::tool_use("Bash", json!({ "command": command }))
        })
        .step(Reply::text("Written down."))
}

/// The commands of a section, which must have some.
fn steps<'a>(readme: &'a str, section: &'static str) -> Result<Vec<&'a str>, Failure> {
    let code = markdown::code(readme);
    let blocks = code.blocks.iter().filter(|block| block.heading == section);
    let lines = blocks.flat_map(|block| &block.lines).map(|(_, line)| line.trim());
    let steps: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    if steps.is_empty() { Err(Failure::NoSteps { section }) } else { Ok(steps) }
}

/// Somebody who has Rust and Claude Code, and has never heard of verger.
struct Newcomer {
    environment: TestEnvironment,
    _agent: OnPath,
}

impl Newcomer {
    fn arrive(upstream: &Upstream) -> Self {
        let mut environment = TestEnvironment::new();
        let agent = ClaudeCode::installed(Version::V2_1_325).on_path(&environment, upstream);
        let own = environment.home().join(".local/bin");
        let given = env::var_os("PATH").unwrap_or_default();
        let places =
            [own, agent.directory().to_owned()].into_iter().chain(env::split_paths(&given));
        // A name with a colon in it would have been two places before.
        environment.set("PATH", env::join_paths(places).unwrap_or(given));
        for (name, below_home) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            environment.set(name, tool_home(name, below_home));
        }
        environment.unset("VERGER_HOME");
        Self { environment, _agent: agent }
    }

    fn steps(&self, lines: &[&str]) -> Result<(), Failure> {
        lines.iter().try_for_each(|line| self.step(line))
    }

    /// Runs a line as the newcomer's shell would, in the clone once there is one.
    fn step(&self, line: &str) -> Result<(), Failure> {
        let clone = self.checkout();
        let start = Instant::now();
        let output = self.run(line, &clone);
        println!("{:>7.1} s  $ {line}", start.elapsed().as_secs_f64());
        if output.is_success() {
            return Ok(());
        }
        Err(Failure::StepFailed { line: line.to_owned(), output: output.to_string() })
    }

    fn checkout(&self) -> PathBuf {
        self.environment.project().join("verger")
    }

    fn run(&self, line: &str, clone: &Path) -> verger_testkit::Output {
        let mut command = self.environment.command("bash");
        command.args(["-c", line]);
        if clone.exists() {
            command.current_dir(clone);
        }
        self.environment.start_on_terminal(command, TerminalSize::USUAL).finish_within(STEP_LIMIT)
    }

    fn has_recorded_a_session(&self) -> Result<(), Failure> {
        self.has_one("verger session list --json", "sessions")
    }

    fn has_learned_something(&self) -> Result<(), Failure> {
        self.has_one("verger learn list --json", "learnings")
    }

    fn has_one(&self, line: &str, what: &'static str) -> Result<(), Failure> {
        let mut command = self.environment.command("bash");
        command.args(["-c", line]).current_dir(self.checkout());
        let output = self.environment.run_command(command, "");
        let answer: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
        let count = answer[what].as_array().map_or(0, Vec::len);
        if count == 1 { Ok(()) } else { Err(Failure::NotOne { what, output: output.to_string() }) }
    }
}

/// Where a tool keeps its things: the newcomer's home is empty.
fn tool_home(variable: &str, below_home: &str) -> OsString {
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_default());
    env::var_os(variable).unwrap_or_else(|| home().join(below_home).into_os_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_the_commands_of_a_section_in_their_order() {
        let readme = "## Install\n```sh\na   # why\n```\nand\n```sh\n# first\n\nb c\n```\n## Else\n```sh\nx\n```\n";
        assert_eq!(steps(readme, INSTALL).unwrap(), ["a   # why", "b c"]);
        let failure = steps(readme, FIRST_MINUTE).unwrap_err();
        assert_eq!(
            failure.to_string(),
            "README.md has no commands below \"The first minute, with Claude Code\""
        );
    }

    #[test]
    fn readme_has_all_steps() {
        let root = Root::from_environment().unwrap();
        let text = fs::read_to_string(root.join("README.md")).unwrap();
        assert!(!steps(&text, INSTALL).unwrap().is_empty());
        let minute = steps(&text, FIRST_MINUTE).unwrap();
        let programs: Vec<_> = minute.iter().filter_map(|step| step.split(' ').next()).collect();
        assert_eq!(programs, ["verger", "claude", "verger", "verger", "verger"]);
        assert_eq!(steps(&text, FIRST_LEARNING).unwrap().len(), 5);
    }
}
