//! Counts failed hook calls, calls that blocked the agent, and warnings in the log.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::replay::ReplayError;
use crate::replay::place::HookCall;
use crate::replay::report::one_line;
use crate::replay::run::Seen;

/// A problem in a replayed session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) session: String,
    pub(crate) event: String,
    pub(crate) what: String,
}

/// The problems in all replayed sessions.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    pub(crate) failed: Vec<Fault>,
    pub(crate) warnings: Vec<Fault>,
    /// Calls that verger blocked, although the settings should only observe. In every mode, the
    /// guard denies writing verger's own files and agents' settings.
    pub(crate) held: Vec<Fault>,
}

impl Failures {
    pub(crate) fn observe(&mut self, seen: &Seen<'_>, call: &HookCall) {
        let fault = |what: String| Fault {
            session: seen.session.to_owned(),
            event: seen.event.to_owned(),
            what,
        };
        if call.exit != Some(0) {
            self.failed.push(fault(format!("exit code {:?}", call.exit)));
        }
        if !call.stderr.is_empty() {
            self.failed.push(fault(format!("on stderr: {}", call.stderr.trim())));
        }
        if !call.stdout.trim().is_empty() && seen.answer.is_none() {
            self.failed.push(fault(format!("unreadable answer: {}", call.stdout.trim())));
        }
        for record in seen.records {
            if record.get("kind").and_then(Value::as_str) == Some("warned") {
                let text = |name: &str| record["payload"][name].as_str().unwrap_or_default();
                self.warnings.push(fault(format!("{}: {}", text("area"), text("message"))));
            }
        }
        if seen.answer.is_some_and(holds) {
            self.held.push(fault(call.stdout.trim().to_owned()));
        }
    }

    /// Notes that a `verger` command of the replay failed.
    pub(crate) fn command(&mut self, session: &str, error: &ReplayError) {
        let (session, event) = (session.to_owned(), "verger".to_owned());
        self.failed.push(Fault { session, event, what: error.to_string() });
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.failed.extend(other.failed);
        self.warnings.extend(other.warnings);
        self.held.extend(other.held);
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let named = [
            ("failures", &self.failed),
            ("warnings", &self.warnings),
            ("held in spite of observing", &self.held),
        ];
        for (name, faults) in named {
            // Writing to a String cannot fail.
            writeln!(text, "{name}: {}", faults.len()).unwrap_or_default();
            for Fault { session, event, what } in faults.iter().take(20) {
                let what = one_line(what);
                writeln!(text, "  {session}  {event}: {what}").unwrap_or_default();
            }
            if faults.len() > 20 {
                writeln!(text, "  and {} more", faults.len() - 20).unwrap_or_default();
            }
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let list = |faults: &[Fault]| {
            let faults = faults.iter().map(|Fault { session, event, what }| {
                json!({ "session": session, "event": event, "what": what })
            });
            faults.collect::<Vec<_>>()
        };
        json!({
            "failures": list(&self.failed),
            "warnings": list(&self.warnings),
            "held": list(&self.held),
        })
    }
}

/// Whether verger's answer blocks the agent. A refused stop is sent as context.
pub(crate) fn holds(answer: &Value) -> bool {
    let specific = &answer["hookSpecificOutput"];
    let permission = specific.get("permissionDecision");
    answer["decision"] == "block"
        || (specific["hookEventName"] == "Stop" && specific["additionalContext"].is_string())
        || permission.is_some_and(|decision| decision == "deny" || decision == "ask")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_fails_by_its_exit_code_its_stderr_or_its_answer() {
        let payload = Value::Null;
        let warned =
            json!({ "kind": "warned", "payload": { "area": "undo", "message": "no room" } });
        let specific = json!({ "hookEventName": "Stop", "additionalContext": "no" });
        let held = json!({ "hookSpecificOutput": specific });
        let call = |exit, stdout: &str, stderr: &str| HookCall {
            exit: Some(exit),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            ..HookCall::default()
        };
        let calls = [
            (call(0, "", ""), None, vec![warned]),
            (call(0, &held.to_string(), ""), Some(&held), vec![]),
            (call(1, "oh", "panicked"), None, vec![]),
        ];
        let mut failures = Failures::default();
        for (call, answer, records) in &calls {
            let (payload, answer) = (&payload, *answer);
            failures
                .observe(&Seen { session: "s1", event: "Stop", payload, answer, records }, call);
        }
        let expected = "failures: 3\n  s1  Stop: exit code Some(1)\n  s1  Stop: on stderr: panicked\n  \
                        s1  Stop: unreadable answer: oh\nwarnings: 1\n  s1  Stop: undo: no room\nheld in spite of observing: 1\n  \
                        s1  Stop: ";
        assert_eq!(failures.text(), format!("{expected}{held}\n"));
    }
}
