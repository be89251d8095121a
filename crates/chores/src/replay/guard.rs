//! Counts the verdicts of the permission guard on the shell commands of a replay.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::replay::percentile::share;
use crate::replay::report::one_line;
use crate::replay::run::Seen;

/// The guard's opinion about a call. Calls about which the guard has no opinion are not in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Opinion {
    Allow,
    Ask,
    Deny,
    None,
}

impl Opinion {
    const ALL: [Self; 4] = [Self::Allow, Self::Ask, Self::Deny, Self::None];

    fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::None => "no opinion",
        }
    }

    fn of_triage(triage: &str) -> Self {
        match triage {
            "allow" => Self::Allow,
            "risky" | "ask" => Self::Ask,
            "deny" => Self::Deny,
            _ => Self::None,
        }
    }
}

/// A tool call that the guard judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JudgedCall {
    pub(crate) session: String,
    pub(crate) tool: String,
    /// The shell command, or the path that a file tool uses, with placeholders.
    pub(crate) subject: String,
    pub(crate) opinion: Opinion,
    pub(crate) rule: String,
    pub(crate) why: String,
}

/// The judged calls of all replayed sessions.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    pub(crate) calls: Vec<JudgedCall>,
}

const SHELL: &str = "Bash";

impl Guard {
    pub(crate) fn observe(&mut self, seen: &Seen<'_>) {
        if seen.event != "PreToolUse" {
            return;
        }
        let text = |place: &str| seen.payload.pointer(place).and_then(Value::as_str);
        let places = ["/tool_input/command", "/tool_input/file_path", "/tool_input/path"];
        let subject = places.iter().find_map(|place| text(place)).unwrap_or_default();
        let judged = seen
            .records
            .iter()
            .find(|record| record.get("kind").and_then(Value::as_str) == Some("guard.judged"));
        let field = |name: &str| {
            let value = judged.and_then(|record| record.get("payload")?.get(name)?.as_str());
            value.unwrap_or_default().to_owned()
        };
        self.calls.push(JudgedCall {
            session: seen.session.to_owned(),
            tool: seen.text("tool_name").to_owned(),
            subject: subject.to_owned(),
            opinion: Opinion::of_triage(&field("triage")),
            rule: field("rule"),
            why: field("why"),
        });
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.calls.extend(other.calls);
    }

    pub(crate) fn sort(&mut self) {
        self.calls.sort_by(|one, other| one.session.cmp(&other.session));
    }

    fn counts(&self) -> BTreeMap<Opinion, usize> {
        let mut counts: BTreeMap<_, _> = Opinion::ALL.map(|opinion| (opinion, 0)).into();
        for call in self.calls.iter().filter(|call| call.tool == SHELL) {
            *counts.entry(call.opinion).or_default() += 1;
        }
        counts
    }

    pub(crate) fn text(&self) -> String {
        let counts = self.counts();
        let commands = counts.values().sum();
        let mut text = format!("guard: {commands} commands\n");
        let mut line = |line: String| writeln!(text, "  {line}").unwrap_or_default();
        for (opinion, count) in counts {
            line(format!("{:<11} {}", opinion.name(), share(count, commands)));
        }
        let denials = self.calls.iter().filter(|call| call.opinion == Opinion::Deny);
        let (commands, files): (Vec<_>, Vec<_>) = denials.partition(|call| call.tool == SHELL);
        for (what, calls) in [("denied commands", commands), ("denied calls of other tools", files)]
        {
            if calls.is_empty() {
                continue;
            }
            line(format!("{what}: {}", calls.len()));
            for JudgedCall { session, subject, rule, tool, .. } in calls {
                let subject = one_line(subject);
                let tool = if tool == SHELL { String::new() } else { format!("{tool} ") };
                line(format!("  {session}  {rule}: {tool}{subject}"));
            }
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let counts: BTreeMap<_, _> =
            self.counts().into_iter().map(|(opinion, count)| (opinion.name(), count)).collect();
        let calls =
            self.calls.iter().filter(|call| call.tool == SHELL || call.opinion == Opinion::Deny);
        let calls = calls.map(|call| {
            json!({
                "session": call.session, "tool": call.tool, "command": call.subject,
                "opinion": call.opinion.name(), "rule": call.rule, "why": call.why,
            })
        });
        json!({ "counts": counts, "calls": calls.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_without_a_record_has_no_opinion() {
        let deny = json!({
            "kind": "guard.judged",
            "payload": { "triage": "deny", "rule": "remove-tree", "why": "it removes" },
        });
        let mut guard = Guard::default();
        for (command, records) in [("rm -rf src\nls", vec![deny]), ("frobnicate", vec![])] {
            let payload = json!({ "tool_name": "Bash", "tool_input": { "command": command } });
            let (payload, records) = (&payload, &records[..]);
            guard.observe(&Seen {
                session: "s1",
                event: "PreToolUse",
                payload,
                answer: None,
                records,
            });
        }
        let expected = "guard: 2 commands\n  allow       0 of 2 (0.0 %)\n  ask         0 of 2 (0.0 %)\n  \
                        deny        1 of 2 (50.0 %)\n  no opinion  1 of 2 (50.0 %)\n  denied commands: 1\n    \
                        s1  remove-tree: rm -rf src\\nls\n";
        assert_eq!(guard.text(), expected);
    }
}
