//! Stop gates of sessions that may have no tools. Such an agent can run no command of verger, so it
//! can satisfy no gate: the gate observes and refuses nothing.

use verger_agent::AgentSpec;
use verger_event::{Grounds, Session, Verdict};

use crate::decision::Decision;

/// The rule in the grounds of a gate's opinion.
const RULE: &str = "the session has made no tool call, so the gate only observes";

/// Whether stop gates only observe: the agent's program may run without tools, and no tool call
/// shows that this session has some.
pub(crate) fn only_observes(spec: &AgentSpec, session: &Session) -> bool {
    spec.gates_need_a_tool_call && !session.has_requested_tools
}

/// Lets a stop pass that a gate would refuse. The person gets one notice, whatever number of gates
/// would refuse.
pub(crate) fn pass_observed(gate: &'static str, spec: &AgentSpec, decision: &mut Decision) {
    decision.opinion(gate, Verdict::NoOpinion, Grounds::of_rule(RULE));
    let notice = format!(
        "verger: the {gate} gate refused nothing: this session has made no tool call, and without \
         tools {} can't run the commands that satisfy a gate. Its work counts as not checked.",
        spec.install.product
    );
    if !decision.notices.iter().any(|known| known.contains("has made no tool call")) {
        decision.notices.push(notice);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verger_agent::{CODEX, GEMINI};
    use verger_event::{Answer, Event, SessionId, SessionKey};
    use verger_store::{Entry, MemoryStore, ReadLog as _};

    use super::*;
    use crate::{Clock, Engine, Environment, Input, Registered};

    /// Reports events of one session to the engine.
    struct TestSession {
        spec: &'static AgentSpec,
        root: tempfile::TempDir,
        store: MemoryStore,
    }

    impl TestSession {
        fn new(spec: &'static AgentSpec) -> Self {
            let root = tempfile::tempdir().unwrap();
            Self { spec, root, store: MemoryStore::new(|_| None) }
        }

        fn call(&self, event_name: &str, fields: &Value) -> Answer {
            let home = self.root.path().as_os_str().to_owned();
            let variables = [("HOME", home), ("VERGER_VERIFICATION_MODE", "always".into())];
            let pairs = variables.into_iter().map(|(name, value)| (name.into(), value));
            let environment: Environment = pairs.collect();
            let mut payload = json!({ "session_id": "s", "cwd": self.root.path() });
            for (name, value) in fields.as_object().unwrap() {
                payload[name] = value.clone();
            }
            let observed = (self.spec.decode)(event_name, payload.to_string().as_bytes());
            let clock = Clock::of_process(&environment);
            let engine = Engine {
                spec: self.spec,
                registered: Registered::BySettings,
                guard_mode: None,
                environment: &environment,
                clock: &clock,
                open_store: &|_, _| Ok(self.store.clone()),
            };
            let observed = observed.unwrap().unwrap();
            engine.handle(Input { event_name, observed, malformed: None }).unwrap()
        }

        /// The gates that gave an opinion, each with its rule.
        fn opinions(&self) -> Vec<(String, String)> {
            let agent = self.spec.name.parse().unwrap();
            let key = SessionKey { agent, session: SessionId::new("s") };
            let mut opinions = vec![];
            let mut take = |entry| {
                let Entry::Record(record) = entry else { return };
                if let Event::VerdictGiven { by, .. } = record.draft.event {
                    opinions.extend(by.into_iter().map(|opinion| {
                        let rule = opinion.grounds.rule().unwrap_or_default().to_owned();
                        (opinion.by.as_str().to_owned(), rule)
                    }));
                }
            };
            self.store.read(&key, &mut take).unwrap();
            opinions
        }
    }

    #[test]
    fn gates_refuse_a_stop_only_after_a_tool_call_where_there_may_be_no_tools() {
        let session = TestSession::new(&GEMINI);
        session.call("BeforeAgent", &json!({ "prompt": "#review fix the parser" }));
        let stop = json!({ "prompt_response": "Done.", "stop_hook_active": false });
        let answer = session.call("AfterAgent", &stop);
        assert_eq!(answer.verdict, Verdict::NoOpinion);
        insta::assert_snapshot!(answer.notice.unwrap(), @"verger: the review gate refused nothing: this session has made no tool call, and without tools Gemini CLI can't run the commands that satisfy a gate. Its work counts as not checked.");
        assert_eq!(session.opinions(), [("review".to_owned(), RULE.to_owned())]);

        session.call("BeforeAgent", &json!({ "prompt": "#review and the lexer" }));
        let input = json!({ "command": "ls" });
        let call = json!({ "tool_name": "run_shell_command", "tool_input": input });
        session.call("BeforeTool", &call);
        let refused = session.call("AfterAgent", &stop).verdict;
        assert!(matches!(refused, Verdict::Deny { .. }), "{refused:?}");
    }

    #[test]
    fn other_programs_always_have_tools() {
        let session = TestSession::new(&CODEX);
        session.call("UserPromptSubmit", &json!({ "prompt": "#review fix the parser" }));
        let refused = session.call("Stop", &json!({ "stop_hook_active": false })).verdict;
        assert!(matches!(refused, Verdict::Deny { .. }), "{refused:?}");
    }
}
