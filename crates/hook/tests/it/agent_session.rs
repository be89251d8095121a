//! A session of any agent, as the hook sees it: each call is a payload that was captured from the
//! real program, with some changed fields.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use verger_agent::{AgentSpec, by_name};
use verger_event::{Event, Record, SessionId, SessionKey, Verdict};
use verger_testkit::TestEnvironment;

use crate::log::Log;
use crate::stage::HOOK;

/// The session's id in the payloads.
pub(crate) const ID: &str = "5e551017-0000-4000-8000-000000000001";

/// A session in a repository with one commit.
pub(crate) struct AgentSession {
    pub(crate) environment: TestEnvironment,
    pub(crate) spec: &'static AgentSpec,
    /// The program that is called for events.
    pub(crate) hook: PathBuf,
}

impl AgentSession {
    pub(crate) fn new(agent: &str) -> Self {
        let environment = TestEnvironment::with_repository();
        Self { environment, spec: by_name(agent).unwrap(), hook: HOOK.into() }
    }

    /// Writes the user's configuration.
    pub(crate) fn configure(&self, text: &str) {
        self.environment.write(self.environment.verger_home().join("config/config.toml"), text);
    }

    /// A captured payload in this session. The fixture's name begins with the event's.
    pub(crate) fn payload(&self, fixture: &str, changes: &[(&str, Value)]) -> Value {
        let folder = format!("{}/../agent/fixtures/{}", env!("CARGO_MANIFEST_DIR"), self.spec.name);
        let name = format!("{fixture}.json");
        let mut versions: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join(&name)).collect();
        versions.sort();
        let file = versions.into_iter().find(|file| file.is_file());
        let text = fs::read(file.unwrap_or_else(|| panic!("no fixture {name}"))).unwrap();
        let mut payload: Value = serde_json::from_slice(&text).unwrap();
        let key = if payload.get("sessionId").is_some() { "sessionId" } else { "session_id" };
        // Some programs give a subagent's own id there, and the session as its parent.
        if payload.get("agentId") != payload.get(key) {
            payload[key] = json!(ID);
        }
        if payload.get("parentAgentId").is_some() {
            payload["parentAgentId"] = json!(ID);
        }
        payload["cwd"] = json!(self.environment.project());
        for (field, value) in changes {
            payload[*field] = value.clone();
        }
        payload
    }

    /// Calls the hook with a captured payload. Returns its answer, or `null` if it printed nothing.
    #[track_caller]
    pub(crate) fn call(&self, fixture: &str, changes: &[(&str, Value)]) -> Value {
        let event = fixture.split('-').next().unwrap();
        let payload = self.payload(fixture, changes).to_string();
        let mut command = self.environment.command(&self.hook);
        command.args([self.spec.name, event]);
        let output = self.environment.run_command(command, payload).success();
        assert_eq!(output.stderr, "");
        if output.stdout.is_empty() {
            return Value::Null;
        }
        serde_json::from_str(&output.stdout).unwrap()
    }

    pub(crate) fn records(&self) -> Vec<Record> {
        let key =
            SessionKey { agent: self.spec.name.parse().unwrap(), session: SessionId::new(ID) };
        let log = Log::of(&self.environment);
        assert_eq!(log.faults(), []);
        log.records(&key)
    }

    /// The number of stops that were refused.
    pub(crate) fn refusals(&self) -> usize {
        let is_refusal = |record: &&Record| {
            matches!(&record.draft.event, Event::VerdictGiven { verdict: Verdict::Deny { .. }, .. })
        };
        self.records().iter().filter(is_refusal).count()
    }
}

/// The reason of a refused stop. Every program has it at the top of the answer.
#[track_caller]
pub(crate) fn refused(answer: &Value) -> String {
    let word = answer["decision"].as_str();
    assert!(matches!(word, Some("block" | "deny")), "{answer}");
    answer["reason"].as_str().unwrap().to_owned()
}
