//! `cargo xtask newcomer`: runs every command of README.md in order, as a newcomer would, and
//! measures the time.
//!
//! Only the commands of README.md run, so that an outdated README fails. The installation runs in a
//! fresh clone, everything else in a small project. Each command has a terminal and a temporary
//! home. The downloaded crates and the toolchain are those of this machine. The real Claude Code
//! talks to a scripted model.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};
use verger_testkit::{
    ClaudeCode, OnPath, Reply, Script, TerminalSize, TestEnvironment, Upstream, Version,
};

use crate::failure::Failure;
use crate::{install_agents, markdown};
use verger_xtask::Root;

/// Runs every command of README.md, and takes the time to the first recorded session
#[derive(Args)]
pub(crate) struct NewcomerArgs {
    /// Write the commands and their output to docs/reports/newcomer.md
    #[arg(long)]
    report: bool,
}

/// The sections of README.md with commands, in order.
const INSTALL: &str = "Install";
const FIRST_MINUTE: &str = "The first minute";
const FIVE_THINGS: &str = "Five things it does";
const FIRST_LEARNING: &str = "The first learning";
const UNINSTALL: &str = "Uninstall";
const SECTIONS: [&str; 5] = [INSTALL, FIRST_MINUTE, FIVE_THINGS, FIRST_LEARNING, UNINSTALL];
const REPORT: &str = "docs/reports/newcomer.md";
/// The promised maximum time from the installation to the first recorded session.
const MINUTE: Duration = Duration::from_mins(1);
/// The maximum number of lines of a command's output in the report.
const MAX_LINES: usize = 60;
/// The maximum number of lines of a build's output in the report.
const MAX_BUILD_LINES: usize = 5;
/// The time limit of a command, long enough for a release build on a slow machine.
const STEP_LIMIT: Duration = Duration::from_mins(45);

pub(crate) fn newcomer(root: &Root, args: &NewcomerArgs) -> Result<(), Failure> {
    let readme = root.join("README.md");
    let text = fs::read_to_string(&readme)
        .map_err(|source| Failure::Read { path: readme.clone(), source })?;
    let sections = sections(&text)?;
    install_agents::install_agents(root)?;
    let upstream = Upstream::start(script());
    let mut newcomer = Newcomer::arrive(&upstream);
    let mut installed = None;
    newcomer.step(&format!("git clone --quiet {} verger", root.path().display()))?;
    newcomer.transcript.clear();
    for (section, steps) in sections {
        newcomer.transcript.extend(["\n## ", section, "\n"]);
        let start = Instant::now();
        newcomer.steps(&steps)?;
        match section {
            INSTALL => newcomer.begin_project(),
            FIRST_MINUTE => {
                newcomer.has_recorded_a_session()?;
                installed = Some(start.elapsed());
            }
            FIRST_LEARNING => newcomer.has_learned_something()?,
            _ => {}
        }
    }
    upstream.finish();
    let took = installed.unwrap_or_default();
    println!("the first minute: {:.1} s", took.as_secs_f64());
    if args.report {
        let path = root.join(REPORT);
        let page = newcomer.report(took);
        fs::write(&path, page).map_err(|source| Failure::Write { path, source })?;
    }
    if took <= MINUTE { Ok(()) } else { Err(Failure::LongMinute { took }) }
}

/// The model's script. In the first session, the model only says hello. In the second session, it
/// works, and then runs the command that it is shown, with findings instead of the example.
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

/// The commands of all sections. Fails if a section outside of [`SECTIONS`] has commands.
fn sections(readme: &str) -> Result<Vec<(&'static str, Vec<&str>)>, Failure> {
    let blocks = markdown::code(readme).blocks;
    if let Some(unknown) = blocks.iter().find(|block| !SECTIONS.contains(&block.heading)) {
        return Err(Failure::UnknownSection { section: unknown.heading.to_owned() });
    }
    SECTIONS.into_iter().map(|section| Ok((section, steps(readme, section)?))).collect()
}

/// The commands of a section. Fails if there are none.
fn steps<'a>(readme: &'a str, section: &'static str) -> Result<Vec<&'a str>, Failure> {
    let code = markdown::code(readme);
    let blocks = code.blocks.iter().filter(|block| block.heading == section);
    let lines = blocks.flat_map(|block| &block.lines).map(|(_, line)| line.trim());
    let steps: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    if steps.is_empty() { Err(Failure::NoSteps { section }) } else { Ok(steps) }
}

/// A user who has Rust and Claude Code but does not know verger.
struct Newcomer {
    environment: TestEnvironment,
    _agent: OnPath,
    /// The commands so far and their output, as Markdown.
    transcript: String,
}

impl Newcomer {
    fn arrive(upstream: &Upstream) -> Self {
        let mut environment = TestEnvironment::new();
        let agent = ClaudeCode::installed(Version::V2_1_326).on_path(&environment, upstream);
        let own = environment.home().join(".local/bin");
        let given = env::var_os("PATH").unwrap_or_default();
        let places =
            [own, agent.directory().to_owned()].into_iter().chain(env::split_paths(&given));
        // Joining fails only for a path with a colon, and `split_paths` returns none.
        environment.set("PATH", env::join_paths(places).unwrap_or(given));
        for (name, below_home) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            environment.set(name, tool_home(name, below_home));
        }
        environment.unset("VERGER_HOME");
        Self { environment, _agent: agent, transcript: String::new() }
    }

    fn steps(&mut self, lines: &[&str]) -> Result<(), Failure> {
        lines.iter().try_for_each(|line| self.step(line))
    }

    /// Runs a line like the newcomer's shell: first in the clone, later in the project.
    fn step(&mut self, line: &str) -> Result<(), Failure> {
        let start = Instant::now();
        let output = self.run(line);
        println!("{:>7.1} s  $ {line}", start.elapsed().as_secs_f64());
        if output.is_success() {
            let most = if line.starts_with("cargo ") { MAX_BUILD_LINES } else { MAX_LINES };
            let told = self.shortened(&output.stdout, most);
            self.transcript.extend(["\n```console\n$ ", line, "\n", &told, "```\n"]);
            return Ok(());
        }
        Err(Failure::StepFailed { line: line.to_owned(), output: output.to_string() })
    }

    /// The text without escape sequences and without the path of the temporary home. A long build
    /// is cut to its last lines.
    fn shortened(&self, text: &str, most: usize) -> String {
        let home = self.environment.home().display().to_string();
        let root = self.environment.root().display().to_string();
        let text = without_escapes(text).replace(&home, "~").replace(&root, "/temporary");
        let lines: Vec<_> =
            text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let first = lines.len().saturating_sub(most);
        let cut = if first == 0 { String::new() } else { format!("({first} lines before)\n") };
        let kept: String = lines.iter().skip(first).flat_map(|line| [*line, "\n"]).collect();
        cut + &kept
    }

    fn report(&self, took: Duration) -> String {
        format!(
            "# Every command of the README, and its output\n\nWritten by `cargo xtask newcomer --report` with the \
             real Claude Code and a scripted model. The first minute took {:.1} s.\n{}",
            took.as_secs_f64(),
            self.transcript
        )
    }

    /// Creates a small project with one check that passes.
    fn begin_project(&self) {
        let app = self.app();
        self.environment.write(app.join("Makefile"), "test:\n\t@test -f app.txt\n");
        self.environment.write(app.join("app.txt"), "one\n");
        let mut git = self.environment.command("bash");
        git.args(["-c", "git init --quiet && git add . && git commit --quiet --message=First"]);
        git.current_dir(app);
        let output = self.environment.run_command(git, "");
        assert!(output.is_success(), "{output}");
    }

    fn app(&self) -> PathBuf {
        self.environment.project().join("app")
    }

    fn directory(&self) -> PathBuf {
        let places = [self.app(), self.environment.project().join("verger")];
        let project = self.environment.project().clone();
        places.into_iter().find(|place| place.exists()).unwrap_or(project)
    }

    fn run(&self, line: &str) -> verger_testkit::Output {
        let mut command = self.environment.command("bash");
        command.args(["-c", line]).current_dir(self.directory());
        let terminal = self.environment.start_on_terminal(command, TerminalSize::USUAL);
        // `verger init` asks a question. The newcomer accepts the default answer.
        if line.starts_with("verger init") {
            terminal.send("\r");
        }
        terminal.finish_within(STEP_LIMIT)
    }

    fn has_recorded_a_session(&self) -> Result<(), Failure> {
        self.has_one("verger session list --json", "sessions")
    }

    fn has_learned_something(&self) -> Result<(), Failure> {
        self.has_one("verger learn list --json", "learnings")
    }

    fn has_one(&self, line: &str, what: &'static str) -> Result<(), Failure> {
        let mut command = self.environment.command("bash");
        command.args(["-c", line]).current_dir(self.directory());
        let output = self.environment.run_command(command, "");
        let answer: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
        let count = answer[what].as_array().map_or(0, Vec::len);
        if count == 1 { Ok(()) } else { Err(Failure::NotOne { what, output: output.to_string() }) }
    }
}

/// The text of a terminal without its escape sequences.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.strip_prefix('[').unwrap_or(part);
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        plain.push_str(&rest[end..]);
    }
    plain
}

/// The real directory of a tool's data, because the newcomer's home is empty.
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
        assert_eq!(failure.to_string(), "README.md has no commands below \"The first minute\"");
    }

    #[test]
    fn readme_has_all_steps() {
        let root = Root::from_environment().unwrap();
        let text = fs::read_to_string(root.join("README.md")).unwrap();
        let sections = sections(&text).unwrap();
        let counts: Vec<_> = sections.iter().map(|(name, steps)| (*name, steps.len())).collect();
        let expected = [
            (INSTALL, 3),
            (FIRST_MINUTE, 5),
            (FIVE_THINGS, 5),
            (FIRST_LEARNING, 3),
            (UNINSTALL, 2),
        ];
        assert_eq!(counts, expected);
    }

    #[test]
    fn a_section_that_would_not_run_is_a_failure() {
        let failure = sections("## Else\n```sh\nx\n```\n").unwrap_err();
        assert_eq!(
            failure.to_string(),
            "README.md has commands in \"Else\", which the newcomer doesn't run"
        );
    }

    #[test]
    fn escape_sequences_are_removed() {
        assert_eq!(without_escapes("\u{1b}[1;31mred\u{1b}[0m and \u{1b}[2Kplain"), "red and plain");
    }
}
