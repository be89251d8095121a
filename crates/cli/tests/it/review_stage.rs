//! A home with verger's plugin and the real client. The client's scripted model plays both the
//! agent and the reviewer.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use verger_testkit::{
    ClaudeCode, Kind, Print, PrintRun, Reply, Request, Rule, Script, Upstream, Version,
};

use crate::household::{Household, done};

/// The number of checks of [`Log::wait_for`], and the time between them: together one minute.
const LOOKS: u32 = 3000;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

pub(crate) struct ReviewStage {
    pub(crate) household: Household,
    pub(crate) client: ClaudeCode,
}

impl ReviewStage {
    pub(crate) fn new(version: Version) -> Self {
        Self::with_settings(version, "")
    }

    /// A stage with these settings of the user.
    #[track_caller]
    pub(crate) fn with_settings(version: Version, settings: &str) -> Self {
        let mut household = Household::new();
        // The clock that is fixed for tests would give every event the same time.
        household.environment.unset("VERGER_TEST_NOW_MS");
        household.environment.unset("VERGER_TEST_SEED");
        done(household.init(&[]));
        let path = household.environment.home().join(".config/verger/config.toml");
        household.environment.write(path, settings);
        Self { household, client: ClaudeCode::installed(version) }
    }

    /// Runs one prompt. The client asks a person about every tool but `Write`.
    #[track_caller]
    pub(crate) fn play(&self, prompt: &str, script: Script) -> Played {
        self.play_allowed(&["Write"], prompt, script)
    }

    /// Runs one prompt, with other tools that need no permission.
    #[track_caller]
    pub(crate) fn play_allowed(&self, tools: &[&str], prompt: &str, script: Script) -> Played {
        let print = self.client.print(prompt).allowed_tools(tools);
        self.play_print(print, script)
    }

    #[track_caller]
    pub(crate) fn play_print(&self, print: Print<'_>, script: Script) -> Played {
        let upstream = Upstream::start(script);
        let print = print.arg("--permission-mode").arg("default");
        let run = print.run(&self.household.environment, &upstream);
        let requests = upstream.finish();
        let run = run.success();
        Played { session: run.session_id().to_owned(), run, requests }
    }

    pub(crate) fn log(&self) -> Log {
        Log::of(&self.household)
    }

    /// See [`Log::gate`].
    pub(crate) fn gate(&self) -> Vec<String> {
        self.log().gate()
    }

    /// The messages to the person, in order.
    pub(crate) fn notices(&self, played: &Played) -> Vec<String> {
        let verdicts = self.log().records("verdict.given");
        let notices = verdicts.iter().filter_map(|record| record["payload"]["notice"].as_str());
        notices.map(|notice| notice.replace(&played.session, "SESSION")).collect()
    }

    /// The reasons for denials by this gate or guard, in order.
    pub(crate) fn denials(&self, by: &str) -> Vec<String> {
        let verdicts = self.log().records("verdict.given");
        let opinions = verdicts.iter().flat_map(|record| {
            record["payload"]["opinions"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|opinion| opinion["by"] == by && opinion["verdict"]["is"] == "deny")
        });
        opinions.map(|opinion| opinion["grounds"]["rule"].as_str().unwrap().to_owned()).collect()
    }

    /// The content of all files of verger.
    pub(crate) fn kept(&self) -> String {
        texts_below(&self.household.data())
    }

    /// The model's call that writes a file of the project.
    pub(crate) fn write(&self, path: &str, content: &str) -> Reply {
        let path = self.household.environment.project().join(path);
        Reply::tool_use("Write", json!({ "file_path": path, "content": content }))
    }

    /// The directory of the client's transcripts.
    pub(crate) fn transcripts(&self) -> PathBuf {
        self.household.directory().join("projects")
    }
}

/// A session that has ended.
pub(crate) struct Played {
    pub(crate) session: String,
    pub(crate) run: PrintRun,
    pub(crate) requests: Vec<Request>,
}

impl Played {
    pub(crate) fn main(&self) -> Vec<&Request> {
        self.of(Kind::Main)
    }

    pub(crate) fn subagent(&self) -> Vec<&Request> {
        self.of(Kind::Subagent)
    }

    fn of(&self, kind: Kind) -> Vec<&Request> {
        self.requests.iter().filter(|request| request.kind() == kind).collect()
    }

    /// Asserts that the client prints a notice for the person, if this version prints notices.
    #[track_caller]
    pub(crate) fn assert_shows(&self, version: Version, notice: &str) {
        let is_shown = self.run.messages.iter().any(|message| {
            let text = message["content"].as_str().unwrap_or_default();
            message["subtype"] == "informational"
                && text.replace(&self.session, "SESSION") == format!("Stop says: {notice}")
        });
        assert_eq!(is_shown, version == Version::V2_1_326, "{}", self.run.stdout);
    }

    /// The messages to the main agent after each of its turns.
    pub(crate) fn told_main(&self) -> Vec<String> {
        told(&self.requests, Kind::Main)
    }

    /// The messages to the subagents after each of their turns.
    pub(crate) fn told_subagent(&self) -> Vec<String> {
        told(&self.requests, Kind::Subagent)
    }
}

/// The messages in the requests of one kind, from the second request on. They are the results of
/// the model's last turn.
pub(crate) fn told(requests: &[Request], kind: Kind) -> Vec<String> {
    requests.iter().filter(|request| request.kind() == kind).skip(1).map(last_told).collect()
}

fn last_told(request: &Request) -> String {
    let messages = request.body["messages"].as_array().unwrap();
    let own = messages.iter().rposition(|message| message["role"] == "assistant");
    let mut texts = vec![];
    for message in &messages[own.map_or(0, |own| own + 1)..] {
        collect_texts(&message["content"], &mut texts);
    }
    let texts: Vec<_> = texts.into_iter().filter_map(without_reminder).collect();
    texts.join("\n").replace(request.session_id().unwrap(), "SESSION")
}

/// The text, unless it is a reminder of the client's own. The reason of a refused stop is in a
/// reminder too.
fn without_reminder(text: &str) -> Option<&str> {
    let Some(inner) = text.strip_prefix("<system-reminder>") else { return Some(text) };
    let inner = inner.trim().strip_suffix("</system-reminder>").unwrap_or(inner).trim();
    inner.starts_with("Stop hook additional context").then_some(inner)
}

/// Collects the texts of a message, including the results of tools.
pub(crate) fn collect_texts<'a>(content: &'a Value, texts: &mut Vec<&'a str>) {
    match content {
        Value::String(text) => texts.push(text),
        Value::Array(blocks) => blocks.iter().for_each(|block| collect_texts(block, texts)),
        Value::Object(block) => {
            if let Some(content) = block.get("text").or_else(|| block.get("content")) {
                collect_texts(content, texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Verger's log.
#[derive(Clone)]
pub(crate) struct Log {
    directory: PathBuf,
}

impl Log {
    pub(crate) fn of(household: &Household) -> Self {
        Self { directory: household.data().join("log") }
    }

    /// The changes of the review gate, in order, without the reviewers' ids. Changes of drift and
    /// of the verification's claims are left out.
    pub(crate) fn gate(&self) -> Vec<String> {
        let mut records = self.records("gate.changed");
        records.retain(|record| {
            record["payload"]["gate"] != "course" && record["payload"]["to"] != "claimed"
        });
        let text = |record: &Value, key: &str| record["payload"][key].as_str().unwrap().to_owned();
        let line = |record: &Value| {
            let (from, to) = (text(record, "from"), text(record, "to"));
            let cause = text(record, "cause");
            let reviewer = cause.strip_prefix("reviewer started: ");
            let kind = reviewer.and_then(|reviewer| reviewer.split(':').next());
            let cause = kind.map_or(cause.clone(), |kind| format!("{kind} started to review"));
            if from == to { format!("{to}: {cause}") } else { format!("{from} -> {to}: {cause}") }
        };
        records.iter().map(line).collect()
    }

    /// The records of this kind, in order. A line of a segment leaves out the fields that are equal
    /// to those of the line before.
    pub(crate) fn records(&self, kind: &str) -> Vec<Value> {
        let text = texts_below(&self.directory);
        // Lock files contain numbers, which are not records.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let lines = lines.filter(Value::is_object);
        let mut before = Value::Null;
        let whole = lines.map(|mut record| {
            for field in ["agent", "session"] {
                if record.get(field).is_none() {
                    record[field] = before[field].clone();
                }
            }
            before = record.clone();
            record
        });
        whole.filter(|record| record["kind"] == kind).collect()
    }

    /// Waits for this number of records of this kind.
    #[track_caller]
    pub(crate) fn wait_for(&self, kind: &str, count: usize) {
        for _ in 0..LOOKS {
            if self.records(kind).len() >= count {
                return;
            }
            thread::park_timeout(BETWEEN_LOOKS);
        }
        panic!("there were never {count} {kind}");
    }

    /// An answer that is given as soon as there is this number of records of this kind.
    pub(crate) fn after<T: Fn(&Request) -> Reply>(
        &self,
        kind: &'static str,
        count: usize,
        make: T,
    ) -> impl Fn(&Request) -> Reply + use<T> {
        let log = self.clone();
        move |request| {
            log.wait_for(kind, count);
            make(request)
        }
    }
}

/// The texts of all files below a directory.
pub(crate) fn texts_below(directory: &Path) -> String {
    let mut text = String::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                // A file may have been removed since it was listed.
                text += &String::from_utf8_lossy(&fs::read(&path).unwrap_or_default());
            }
        }
    }
    text
}

pub(crate) fn bash(command: &str) -> Reply {
    Reply::tool_use("Bash", json!({ "command": command }))
}

/// The model's call that starts the reviewer and waits for it.
pub(crate) fn reviewer() -> Reply {
    start_reviewer(Some(false))
}

/// The model's call that starts the reviewer. `in_background` is optional; without it, the client
/// decides.
pub(crate) fn start_reviewer(in_background: Option<bool>) -> Reply {
    start_agent("verger:reviewer", in_background)
}

/// The model's call that starts a subagent of another type.
pub(crate) fn start_agent(agent_type: &str, in_background: Option<bool>) -> Reply {
    let mut call = json!({
        "description": "Review",
        "prompt": "Review the task.",
        "subagent_type": agent_type,
    });
    if let Some(in_background) = in_background {
        call["run_in_background"] = in_background.into();
    }
    Reply::tool_use("Agent", call)
}

/// The reviewer's decision, with the command from its instructions.
pub(crate) fn decide(words: &str) -> impl Fn(&Request) -> Reply + use<> {
    let words = words.to_owned();
    move |request| {
        let session = request.session_id().unwrap();
        bash(&format!("verger decide {words} --session {session} --token {}", token(request)))
    }
}

/// A reviewer that approves and ends.
pub(crate) fn approve(rule: Rule) -> Rule {
    rule.step_with(decide("complete \"it is there\"")).step(Reply::text("Approved."))
}

/// The token in a request.
pub(crate) fn token(request: &Request) -> String {
    format!("vrt_{}", request.word_after("vrt_").unwrap())
}

/// The model's call of a `verger` command for its own session.
pub(crate) fn verger(words: &str) -> impl Fn(&Request) -> Reply + use<> {
    let words = words.to_owned();
    move |request| bash(&format!("verger {words} --session {}", request.session_id().unwrap()))
}
