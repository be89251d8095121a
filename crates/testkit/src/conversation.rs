//! A session of the client as the hook sees it. Each call is a captured payload with a few fields
//! changed, at its own time.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde_json::{Value, json};

use crate::captured::captured;
use crate::environment::TestEnvironment;
use crate::hook_answer::HookAnswer;

/// The moment of the first call; every call is a second later than the one before.
const START_MS: u64 = 1_794_767_961_000;
/// No call makes more ids than this.
const IDS_PER_CALL: u64 = 1000;

/// The agent that makes a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker<'a> {
    Main,
    Subagent { id: &'a str, agent_type: &'a str },
}

/// A session, its project and the program that answers its calls.
pub struct Conversation {
    pub environment: TestEnvironment,
    /// The program and the words before the agent's name.
    hook: Vec<String>,
    /// The words behind the event's name.
    registration: Vec<String>,
    session: String,
    calls: AtomicU64,
    /// The call that was the last prompt.
    prompted: AtomicU64,
    millis: AtomicU64,
}

impl Conversation {
    /// A session that has started, of a client that has the plugin.
    #[track_caller]
    pub fn begin(environment: TestEnvironment, hook: &[&str]) -> Self {
        let conversation = Self {
            environment,
            hook: hook.iter().map(ToString::to_string).collect(),
            registration: vec!["plugin".to_owned()],
            session: "f0357e9b-fb48-41a1-afb7-88e26c9c25cd".to_owned(),
            calls: AtomicU64::new(0),
            prompted: AtomicU64::new(0),
            millis: AtomicU64::new(START_MS),
        };
        // The replacements of secrets in the log depend on a key, so the key is fixed.
        let key = conversation.environment.verger_home().join("data/redaction.key");
        conversation.environment.write(key, [0; 32]);
        let started = conversation.call("SessionStart-startup", &[]);
        assert_eq!(started, HookAnswer::default());
        conversation
    }

    /// From here on the calls come from hooks in a file of settings.
    #[must_use]
    pub fn without_plugin(mut self) -> Self {
        self.registration.clear();
        self
    }

    /// Switches to another session, whose start the hook did not see.
    pub fn continue_as(&mut self, session: &str) {
        session.clone_into(&mut self.session);
    }

    pub fn session(&self) -> &str {
        &self.session
    }

    /// Lets time pass.
    pub fn pass_seconds(&self, seconds: u64) {
        self.millis.fetch_add(1000 * seconds, Relaxed);
    }

    /// Sets the clock back.
    pub fn set_back_seconds(&self, seconds: u64) {
        self.millis.fetch_sub(1000 * seconds, Relaxed);
    }

    /// Replaces the user's configuration file.
    pub fn configure(&self, text: impl AsRef<[u8]>) {
        self.environment.write(self.environment.verger_home().join("config/config.toml"), text);
    }

    /// A call with a captured payload of this session, some fields changed.
    #[track_caller]
    pub fn call(&self, name: &str, changes: &[(&str, Value)]) -> HookAnswer {
        self.call_of(Speaker::Main, name, changes)
    }

    /// The same, by the given speaker.
    #[track_caller]
    pub fn call_of(
        &self,
        speaker: Speaker<'_>,
        name: &str,
        changes: &[(&str, Value)],
    ) -> HookAnswer {
        let event = name.split('-').next().unwrap();
        let mut payload = captured(name);
        payload["session_id"] = json!(self.session);
        payload["cwd"] = json!(self.environment.project());
        if payload.get("prompt_id").is_some() {
            payload["prompt_id"] = json!(format!("prompt-{}", self.prompted.load(Relaxed)));
        }
        if let Speaker::Subagent { id, agent_type } = speaker {
            payload["agent_id"] = json!(id);
            payload["agent_type"] = json!(agent_type);
        }
        for (field, value) in changes {
            payload[*field] = value.clone();
        }
        self.send(event, payload.to_string())
    }

    /// A call with any payload.
    #[track_caller]
    pub fn send(&self, event: &str, payload: impl Into<Vec<u8>>) -> HookAnswer {
        let mut command = self.environment.command(&self.hook[0]);
        command.args(&self.hook[1..]).args(["claude", event]).args(&self.registration);
        for (name, value) in self.next_moment() {
            command.env(name, value);
        }
        let output = self.environment.run_command(command, payload).success();
        assert_eq!(output.stderr, "");
        HookAnswer::parse(event, &output.stdout)
    }

    /// Moves the clock, and returns the variables that give the time to a program started now.
    pub fn next_moment(&self) -> [(&'static str, String); 2] {
        let now = self.millis.fetch_add(1000, Relaxed);
        let number = self.calls.fetch_add(1, Relaxed);
        let seed = IDS_PER_CALL * (number + 1);
        [("VERGER_TEST_NOW_MS", now.to_string()), ("VERGER_TEST_SEED", seed.to_string())]
    }

    /// A person's prompt.
    #[track_caller]
    pub fn prompt(&self, text: &str) -> HookAnswer {
        self.prompted.store(self.calls.load(Relaxed), Relaxed);
        self.call("UserPromptSubmit", &[("prompt", json!(text))])
    }

    /// The main agent requests to stop.
    #[track_caller]
    pub fn stop(&self) -> HookAnswer {
        self.call("Stop-first", &[])
    }

    /// The main agent requests to stop while a subagent runs in the background.
    #[track_caller]
    pub fn stop_beside(&self, subagent: &str) -> HookAnswer {
        let mut background = captured("Stop-first-bgtask")["background_tasks"].clone();
        background[0]["id"] = json!(subagent);
        self.call("Stop-first-bgtask", &[("background_tasks", background)])
    }

    /// The id that the next use of a tool will have.
    pub fn next_tool_use(&self) -> String {
        format!("toolu_{}", self.calls.load(Relaxed))
    }

    /// The speaker requests a tool call.
    #[track_caller]
    pub fn tool(&self, speaker: Speaker<'_>, tool: &str, input: &Value) -> HookAnswer {
        let name = match speaker {
            Speaker::Main => "PreToolUse-Bash",
            Speaker::Subagent { .. } => "PreToolUse-Bash-in_subagent",
        };
        let id = self.next_tool_use();
        let changes =
            [("tool_name", json!(tool)), ("tool_input", input.clone()), ("tool_use_id", json!(id))];
        self.call_of(speaker, name, &changes)
    }

    /// The speaker requests to run a line in a shell.
    #[track_caller]
    pub fn bash(&self, speaker: Speaker<'_>, line: &str) -> HookAnswer {
        self.tool(speaker, "Bash", &json!({ "command": line, "description": "x" }))
    }

    /// The main agent writes a file of the project. Fails if the hook objects.
    #[track_caller]
    pub fn write(&self, path: &str, text: &str) {
        let full = self.environment.project().join(path);
        let input = json!({ "file_path": full, "content": text });
        assert_eq!(self.tool(Speaker::Main, "Write", &input), HookAnswer::default());
        self.environment.write(path, text);
    }

    /// The main agent runs a program in the project. Fails if the hook objects.
    #[track_caller]
    pub fn run(&self, line: &str) {
        assert_eq!(self.bash(Speaker::Main, line), HookAnswer::default());
        let output = self.environment.run("sh", ["-ec", line], "");
        assert!(output.is_success(), "{line}: {output}");
    }

    #[track_caller]
    pub fn start_subagent(&self, id: &str, agent_type: &str) -> HookAnswer {
        self.call_of(Speaker::Subagent { id, agent_type }, "SubagentStart", &[])
    }

    #[track_caller]
    pub fn stop_subagent(&self, id: &str, agent_type: &str) -> HookAnswer {
        self.call_of(Speaker::Subagent { id, agent_type }, "SubagentStop-first", &[])
    }

    /// Starts the reviewer and returns the token in its instructions.
    #[track_caller]
    pub fn start_reviewer(&self, id: &str) -> String {
        let told = self.start_subagent(id, "verger:reviewer").context;
        let told = told.expect("a reviewer is told something");
        let at = told.find("vrt_").unwrap_or_else(|| panic!("there is no token in {told}"));
        told[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    }

    /// Every file below a directory of the environment in which `text` occurs, by its bytes.
    pub fn files_with(&self, directory: &Path, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![directory.to_owned()];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let is_in = |bytes: &[u8]| bytes.windows(text.len()).any(|w| w == text.as_bytes());
            if is_in(&bytes) || is_in(path.as_os_str().as_encoded_bytes()) {
                found.push(self.environment.normalise(&path.to_string_lossy()));
            }
        }
        found
    }
}
