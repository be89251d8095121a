//! A session of the client as the hook sees it. Each call is a captured payload with a few changed
//! fields and its own time.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde_json::{Value, json};

use crate::captured::captured;
use crate::environment::TestEnvironment;
use crate::hook_answer::HookAnswer;

/// The time of the first call. Every call is a second later than the previous one.
const START_MS: u64 = 1_794_767_961_000;
/// An upper limit for the number of ids that one call creates.
const IDS_PER_CALL: u64 = 1000;

/// The agent that makes a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker<'a> {
    Main,
    Subagent { id: &'a str, agent_type: &'a str },
}

/// A session, its project, and the hook program.
pub struct Conversation {
    pub environment: TestEnvironment,
    /// The program and its arguments before the agent's name.
    hook: Vec<String>,
    /// The arguments after the event's name.
    registration: Vec<String>,
    session: String,
    calls: AtomicU64,
    /// The number of the call that was the last prompt.
    prompted: AtomicU64,
    millis: AtomicU64,
}

impl Conversation {
    /// A session that has started, in a client with the plugin.
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
        // The hashes of redacted secrets depend on a key, so the key is fixed.
        let key = conversation.environment.verger_home().join("data/redaction.key");
        conversation.environment.write(key, [0; 32]);
        let started = conversation.call("SessionStart-startup", &[]);
        assert_eq!(started, HookAnswer::default());
        conversation
    }

    /// Later calls come from hooks in a settings file, not from the plugin.
    #[must_use]
    pub fn without_plugin(mut self) -> Self {
        self.registration.clear();
        self
    }

    /// Switches to another session, whose start was not reported to the hook.
    pub fn continue_as(&mut self, session: &str) {
        session.clone_into(&mut self.session);
    }

    pub fn session(&self) -> &str {
        &self.session
    }

    /// Moves the clock forward.
    pub fn pass_seconds(&self, seconds: u64) {
        self.millis.fetch_add(1000 * seconds, Relaxed);
    }

    /// Moves the clock back.
    pub fn set_back_seconds(&self, seconds: u64) {
        self.millis.fetch_sub(1000 * seconds, Relaxed);
    }

    /// Replaces the user's configuration file.
    pub fn configure(&self, text: impl AsRef<[u8]>) {
        self.environment.write(self.environment.verger_home().join("config/config.toml"), text);
    }

    /// Calls the hook with a captured payload of this session and some changed fields.
    #[track_caller]
    pub fn call(&self, name: &str, changes: &[(&str, Value)]) -> HookAnswer {
        self.call_of(Speaker::Main, name, changes)
    }

    /// Like [`Self::call`], by the given speaker.
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

    /// Calls the hook with any payload.
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

    /// Moves the clock forward by a second. Returns the environment variables that give the new
    /// time to a program.
    pub fn next_moment(&self) -> [(&'static str, String); 2] {
        let now = self.millis.fetch_add(1000, Relaxed);
        let number = self.calls.fetch_add(1, Relaxed);
        let seed = IDS_PER_CALL * (number + 1);
        [("VERGER_TEST_NOW_MS", now.to_string()), ("VERGER_TEST_SEED", seed.to_string())]
    }

    /// Calls the hook for a person's prompt.
    #[track_caller]
    pub fn prompt(&self, text: &str) -> HookAnswer {
        self.prompted.store(self.calls.load(Relaxed), Relaxed);
        self.call("UserPromptSubmit", &[("prompt", json!(text))])
    }

    /// Calls the hook for a stop of the main agent.
    #[track_caller]
    pub fn stop(&self) -> HookAnswer {
        self.call("Stop-first", &[])
    }

    /// Calls the hook for a stop of the main agent while a subagent runs in the background.
    #[track_caller]
    pub fn stop_beside(&self, subagent: &str) -> HookAnswer {
        let mut background = captured("Stop-first-bgtask")["background_tasks"].clone();
        background[0]["id"] = json!(subagent);
        self.call("Stop-first-bgtask", &[("background_tasks", background)])
    }

    /// The id of the next tool call.
    pub fn next_tool_use(&self) -> String {
        format!("toolu_{}", self.calls.load(Relaxed))
    }

    /// Calls the hook for a tool call of the speaker.
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

    /// Calls the hook for a shell line of the speaker.
    #[track_caller]
    pub fn bash(&self, speaker: Speaker<'_>, line: &str) -> HookAnswer {
        self.tool(speaker, "Bash", &json!({ "command": line, "description": "x" }))
    }

    /// Writes a file of the project as the main agent. Fails if the hook objects.
    #[track_caller]
    pub fn write(&self, path: &str, text: &str) {
        let full = self.environment.project().join(path);
        let input = json!({ "file_path": full, "content": text });
        assert_eq!(self.tool(Speaker::Main, "Write", &input), HookAnswer::default());
        self.environment.write(path, text);
    }

    /// Runs a shell line in the project as the main agent. Fails if the hook objects.
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

    /// Starts the reviewer. Returns the token from its instructions.
    #[track_caller]
    pub fn start_reviewer(&self, id: &str) -> String {
        let told = self.start_subagent(id, "verger:reviewer").context;
        let told = told.expect("a reviewer gets a context");
        let at = told.find("vrt_").unwrap_or_else(|| panic!("there is no token in {told}"));
        told[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    }

    /// Every file below `directory` that contains the bytes of `text`.
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
