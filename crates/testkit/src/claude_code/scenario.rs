//! Named scenarios for the real client, each with a script for the upstream. Tests run them, and
//! payloads are captured from them.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

use serde_json::{Value, json};
use verger_upstream::{Block, Reply, Request, Rule, Script, Usage};

use super::print::{Print, PrintRun};
use super::{ClaudeCode, Version};
use crate::environment::TestEnvironment;
use crate::upstream::Upstream;

/// A scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// A prompt and its answer, `Hello.`
    Plain,
    /// A command that exits with 3.
    FailingTool,
    /// Three files read in one message.
    ParallelTools,
    /// A subagent in the foreground.
    Subagent,
    /// A subagent that ends after the session's first stop. Only for versions in which this is the
    /// default.
    BackgroundSubagent,
    /// A context that becomes full.
    Compaction,
    /// A session that ends and is resumed.
    Resume,
    /// A conversation that is cleared.
    Clear,
    /// Two stops that a hook blocks.
    RefusedStop,
    /// An error of the upstream, followed by a second prompt.
    UpstreamError,
}

/// The client, environment and hooks with which a scenario runs.
pub struct Playing<'a> {
    pub client: &'a ClaudeCode,
    pub environment: &'a TestEnvironment,
    /// Settings with the hooks.
    pub settings: &'a Value,
    /// Waits until the hook has been called for the named event.
    pub wait_for: Arc<dyn Fn(&str) + Send + Sync>,
}

/// The result of a scenario: all runs of the client, which all succeeded, and the requests to the
/// model.
pub struct ScenarioPlayed {
    pub runs: Vec<PrintRun>,
    pub requests: Vec<Request>,
}

impl ScenarioPlayed {
    /// The last answer.
    #[track_caller]
    pub fn answer(&self) -> &str {
        self.runs.last().expect("a scenario runs the client").answer()
    }
}

/// The error for an unknown scenario name.
#[derive(Debug)]
pub struct UnknownScenario(String);

impl Display for UnknownScenario {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = Scenario::ALL.iter().map(|scenario| scenario.name()).collect();
        write!(formatter, "no scenario is named {:?}; there are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownScenario {}

impl FromStr for Scenario {
    type Err = UnknownScenario;

    fn from_str(name: &str) -> Result<Self, UnknownScenario> {
        let found = Self::ALL.into_iter().find(|scenario| scenario.name() == name);
        found.ok_or_else(|| UnknownScenario(name.to_owned()))
    }
}

impl Scenario {
    pub const ALL: [Self; 10] = [
        Self::Plain,
        Self::FailingTool,
        Self::ParallelTools,
        Self::Subagent,
        Self::BackgroundSubagent,
        Self::Compaction,
        Self::Resume,
        Self::Clear,
        Self::RefusedStop,
        Self::UpstreamError,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::FailingTool => "failing-tool",
            Self::ParallelTools => "parallel-tools",
            Self::Subagent => "subagent",
            Self::BackgroundSubagent => "background-subagent",
            Self::Compaction => "compaction",
            Self::Resume => "resume",
            Self::Clear => "clear",
            Self::RefusedStop => "refused-stop",
            Self::UpstreamError => "upstream-error",
        }
    }

    /// Whether this version of the client can run the scenario.
    pub fn fits(self, version: &str) -> bool {
        self != Self::BackgroundSubagent || version != Version::V2_1_197.as_str()
    }

    /// The answers that the hook must give in the scenario, in order.
    pub fn answers(self) -> Vec<(&'static str, Value)> {
        let refused = |reason| {
            let specific = json!({ "hookEventName": "Stop", "additionalContext": reason });
            ("Stop", json!({ "hookSpecificOutput": specific }))
        };
        match self {
            Self::RefusedStop => vec![refused("Not yet."), refused("Still not.")],
            _ => vec![],
        }
    }

    /// Runs the scenario. Fails the test if the client doesn't follow the script.
    #[track_caller]
    pub fn play(self, playing: &Playing<'_>) -> ScenarioPlayed {
        match self {
            Self::Plain => playing.run(text_steps(["Hello."]), |print| print),
            Self::FailingTool => playing.run(bash_then_done("echo out; exit 3"), |print| print),
            Self::ParallelTools => playing.run(parallel_reads(playing.environment), |print| print),
            Self::Subagent => playing.run(foreground_subagent(), |print| print),
            Self::BackgroundSubagent => {
                playing.run(background_subagent(Arc::clone(&playing.wait_for)), |print| print)
            }
            Self::Compaction => playing.run(compaction(), Print::small_context),
            Self::Resume => resume(playing),
            Self::Clear => playing.run(clear(), |print| print.then("/clear").then("again")),
            Self::RefusedStop => playing.run(refused_stop(), |print| print),
            Self::UpstreamError => {
                let script = upstream_error(Arc::clone(&playing.wait_for));
                playing.run(script, |print| print.then("again"))
            }
        }
    }
}

impl Playing<'_> {
    /// A run of the client with the prompt `go`.
    #[track_caller]
    fn run<'a>(
        &'a self,
        script: Script,
        print: impl FnOnce(Print<'a>) -> Print<'a>,
    ) -> ScenarioPlayed {
        let upstream = Upstream::start(script);
        let tools = ["Bash", "Read", "Agent"];
        let print = print(self.client.print("go").hooks(self.settings).allowed_tools(tools));
        let run = print.run(self.environment, &upstream);
        ScenarioPlayed { runs: vec![run.success()], requests: upstream.finish() }
    }
}

fn bash(command: &str) -> Reply {
    Reply::tool_use("Bash", json!({ "command": command }))
}

fn text_steps<const N: usize>(texts: [&str; N]) -> Script {
    texts.into_iter().fold(Script::new(), |script, text| script.step(Reply::text(text)))
}

fn bash_then_done(command: &str) -> Script {
    Script::new().step(bash(command)).step(Reply::text("Done."))
}

fn parallel_reads(environment: &TestEnvironment) -> Script {
    let read = |name: &str| {
        let path = environment.write(name, format!("text of {name}\n"));
        Block::tool_use("Read", json!({ "file_path": path }))
    };
    let reads = ["a.txt", "b.txt", "c.txt"].map(read);
    Script::new().step(Reply::blocks(reads)).step(Reply::text("Done."))
}

fn subagent_call() -> Value {
    json!({
        "description": "Look",
        "prompt": "Look around",
        "subagent_type": "general-purpose",
    })
}

fn foreground_subagent() -> Script {
    let mut call = subagent_call();
    // Set explicitly, because 2.1.325 otherwise runs the subagent in the background.
    call["run_in_background"] = json!(false);
    Script::new()
        .step(Reply::tool_use("Agent", call))
        .step(Reply::text("Done."))
        .rule(Rule::subagent().step(bash("echo sub")).step(Reply::text("Looked.")))
}

fn background_subagent(wait_for: Arc<dyn Fn(&str) + Send + Sync>) -> Script {
    let looked = move |_: &Request| {
        wait_for("Stop");
        Reply::text("Looked.")
    };
    Script::new()
        .step(Reply::tool_use("Agent", subagent_call()))
        .step(Reply::text("Started."))
        .step(Reply::text("Done."))
        .rule(Rule::subagent().step_with(looked))
}

fn compaction() -> Script {
    let full = Usage { input_tokens: 180_000, ..Usage::default() };
    // With only one previous exchange there is nothing to summarize, so the client doesn't compact.
    Script::new()
        .step(bash("echo one"))
        .step(bash("echo two").usage(full))
        .step(Reply::text("Done."))
        .rule(Rule::compaction().step(Reply::text("<summary>Echoed twice.</summary>")))
}

#[track_caller]
fn resume(playing: &Playing<'_>) -> ScenarioPlayed {
    let mut first = playing.run(text_steps(["First."]), |print| print);
    let session = first.runs[0].session_id().to_owned();
    let script = Script::new().step_with(|request| {
        assert!(request.mentions("First."), "the conversation goes on");
        Reply::text("Second.")
    });
    let second = playing.run(script, |print| print.resume(&session));
    first.runs.extend(second.runs);
    first.requests.extend(second.requests);
    first
}

fn clear() -> Script {
    Script::new().step(Reply::text("First.")).step_with(|request| {
        assert!(!request.mentions("First."), "the conversation is forgotten");
        Reply::text("Second.")
    })
}

fn refused_stop() -> Script {
    Script::new()
        .step(Reply::text("One."))
        .step_with(|request| {
            let reason = request.text_between("Stop hook additional context: ", ".");
            Reply::text(format!("Two, because: {}", reason.unwrap()))
        })
        .step(Reply::text("Three."))
}

/// The client doesn't wait for the hooks of a failure and kills them when it ends. A second prompt
/// keeps the client running until they have ended.
fn upstream_error(wait_for: Arc<dyn Fn(&str) + Send + Sync>) -> Script {
    let error = Reply::error(403, "permission_error", "No.");
    Script::new().step(error).step_with(move |_| {
        wait_for("StopFailure");
        Reply::text("Yes.")
    })
}
