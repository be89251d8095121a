//! A session of the agent's real program in the demo's home, with a scripted model.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use verger_agent::{DEMONSTRATED, DEMONSTRATED_RUN, HeadlessRun};
use verger_exec::{Deadline, Output, RunError};
use verger_upstream::{Block, Reply, Rule, Script, Server};

use super::demo_error::DemoError;
use super::stage::Stage;

/// The time limit of a session. A session takes a few seconds, but longer on a busy machine.
const CLIENT_LIMIT: Duration = Duration::from_mins(2);
const TOOLS: &[&str] = &["Bash", "Read", "Agent"];
const PROMPT: &str = include_str!("real/prompt.txt");
const ANSWER: &str = include_str!("real/answer.txt");

/// The agent's real program, which is known to start.
#[derive(Debug)]
pub(super) struct Client {
    program: PathBuf,
    /// The version that the program reports.
    pub(super) version: String,
}

impl Client {
    /// Uses the program at this path, or the installed one without a path.
    pub(super) fn find(stage: &Stage, path: Option<&Path>) -> Result<Self, DemoError> {
        let program = path.map_or_else(|| DEMONSTRATED.install.program.into(), Path::to_owned);
        let deadline = Deadline::after(CLIENT_LIMIT).or_when(stage.interrupt().flag());
        let output = stage.program(&program).arg("--version").run(deadline);
        let output = succeeded(&program, output)?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok(Self { program, version })
    }

    /// Runs one session and returns the program's answer.
    pub(super) fn run(&self, stage: &Stage) -> Result<String, DemoError> {
        let server = Server::start(script(&stage.project())).map_err(DemoError::Service)?;
        let run = HeadlessRun { prompt: PROMPT.trim(), hook: &stage.hook().words(), tools: TOOLS };
        let deadline = Deadline::after(CLIENT_LIMIT).or_when(stage.interrupt().flag());
        let output = stage
            .program(&self.program)
            .args((DEMONSTRATED_RUN.arguments)(&run))
            .envs((DEMONSTRATED_RUN.service)(&server.url()))
            .env(DEMONSTRATED_RUN.temporary_env, stage.temporary())
            .run(deadline);
        let problems = server.finish().problems;
        let output = succeeded(&self.program, output)?;
        if problems.is_empty() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        Err(DemoError::Unscripted { problems })
    }
}

fn succeeded(program: &Path, run: Result<Output, RunError>) -> Result<Output, DemoError> {
    let program = program.to_owned();
    let output = match run {
        Ok(output) => output,
        Err(error) => {
            return Err(DemoError::of_run(error, |source| DemoError::Client { program, source }));
        }
    };
    if output.status.success() {
        return Ok(output);
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    Err(DemoError::ClientTrouble { program, status: output.status, said })
}

/// The replies of the model: the same work as in the scripted session.
fn script(project: &Path) -> Script {
    let bash = |command: &str| Reply::tool_use("Bash", json!({ "command": command }));
    let read = |name: &str| Block::tool_use("Read", json!({ "file_path": project.join(name) }));
    // The subagent runs in the foreground, so that its events come before the end of the session.
    let subagent = json!({
        "description": "Check the change",
        "prompt": "Look once more",
        "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    Script::new()
        .step(bash("ls"))
        .step(bash("sh ./run-tests"))
        .step(Reply::blocks(["README.md", "src/main.rs", "src/total.rs"].map(read)))
        .step(bash("cat .env"))
        .step(Reply::tool_use("Agent", subagent))
        .step(Reply::text(ANSWER.trim()))
        .rule(Rule::subagent().step(bash("ls src")).step(Reply::text("It is as it should be.")))
        .rule(Rule::side_call().otherwise(Reply::text("Totals")))
}
