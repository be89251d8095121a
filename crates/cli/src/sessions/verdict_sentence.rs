//! Verger's answer to an event in one sentence, such as "Denied: `rm -rf src` removes a whole
//! directory (rule remove-tree)".

use verger_event::{Event, Opinion, Triage, Verdict};

use crate::render::output::{Tone, count};
use crate::sessions::event_summary::{gate_move, shortened, summary};
use crate::sessions::explanation::Explanation;

/// The sentence, split into its first word and the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VerdictSentence {
    pub(crate) word: &'static str,
    pub(crate) tone: Tone,
    rest: String,
}

impl VerdictSentence {
    fn new(word: &'static str, tone: Tone, rest: impl AsRef<str>) -> Self {
        let rest = rest.as_ref().split_whitespace().collect::<Vec<_>>().join(" ");
        let end = if rest.ends_with(['.', '?', '!']) { "" } else { "." };
        Self { word, tone, rest: format!(": {rest}{end}") }
    }

    pub(crate) fn rest(&self) -> &str {
        &self.rest
    }

    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.word, self.rest)
    }

    /// Makes the sentence about the most important answer to the event.
    pub(crate) fn of(explanation: &Explanation) -> Self {
        let Explanation { asked, subject, answers, .. } = explanation;
        let subject = &subject.as_ref().unwrap_or(asked).record.draft.event;
        let answers: Vec<_> =
            answers.iter().chain([asked]).map(|a| &a.record.draft.event).collect();
        if let restored @ Event::UndoPointRestored { .. } = &asked.record.draft.event {
            return of_answer(subject, restored).unwrap_or_else(|| of_silence(subject));
        }
        // Of several answers with the same rank, the latest counts.
        let ranked = answers.iter().rev().min_by_key(|answer| rank(answer));
        ranked.and_then(|answer| of_answer(subject, answer)).unwrap_or_else(|| of_silence(subject))
    }
}

/// The importance of an answer; 0 is the most important.
fn rank(answer: &Event) -> usize {
    match answer {
        Event::VerdictGiven { verdict: Verdict::Deny { .. }, .. } => 0,
        Event::VerdictGiven { verdict: Verdict::Ask { .. }, .. } => 1,
        Event::GateReleased { .. } => 2,
        Event::CallRewritten { .. } => 3,
        Event::VerdictGiven { verdict: Verdict::Allow { .. }, .. } => 4,
        Event::ReviewDecided { .. } | Event::VerificationRecorded { .. } => 5,
        Event::ContextInjected { .. } => 6,
        Event::VerdictGiven { verdict: Verdict::NoOpinion, .. } => 7,
        Event::GuardJudged { .. } => 8,
        Event::TaskRecorded { .. } | Event::HandoffWritten { .. } => 9,
        Event::GateChanged { .. } => 10,
        _ => 11,
    }
}

/// The sentence about one answer. `None` if the event is not an answer.
fn of_answer(subject: &Event, answer: &Event) -> Option<VerdictSentence> {
    let say = |word, tone, rest: String| Some(VerdictSentence::new(word, tone, rest));
    match answer {
        Event::VerdictGiven { verdict: verdict @ Verdict::Deny { reason }, by, .. } => {
            let word = if is_stop(subject) { "Held" } else { "Denied" };
            say(word, Tone::Bad, because(subject, verdict, reason, by))
        }
        Event::VerdictGiven { verdict: verdict @ Verdict::Ask { reason }, by, .. } => {
            say("Asked a person", Tone::Warn, because(subject, verdict, reason, by))
        }
        Event::VerdictGiven { verdict: verdict @ Verdict::Allow { reason }, by, .. } => {
            say("Allowed", Tone::Good, because(subject, verdict, reason, by))
        }
        Event::VerdictGiven { verdict: Verdict::NoOpinion, by, notice, .. } => {
            let notice_line = notice.as_deref().and_then(|notice| notice.lines().next());
            match (
                because(subject, &Verdict::NoOpinion, notice_line.unwrap_or_default(), by),
                notice,
            ) {
                (reason, _) if reason.is_empty() => None,
                (reason, Some(_)) => say("Told the person", Tone::Warn, reason),
                (reason, None) => say("Recorded", Tone::Plain, reason),
            }
        }
        Event::GateReleased { gate, by, reason } => {
            say("Released", Tone::Warn, format!("the {gate} gate, by {by}: {reason}"))
        }
        Event::CallRewritten { by, rules, .. } => {
            let rules = rules.join(", ");
            say(
                "Changed",
                Tone::Warn,
                format!("the call was changed before it ran ({by}: {rules})"),
            )
        }
        Event::ContextInjected { grounds, text, .. } => {
            let first_line = || text.lines().next().unwrap_or_default();
            let why = grounds.rule().unwrap_or_else(first_line);
            say("Told the agent", Tone::Plain, why.to_owned())
        }
        Event::GuardJudged { triage, rule, mode, .. } => {
            let would = match triage {
                Triage::Allow => "would allow it",
                Triage::Unknown => "has no rule for it",
                Triage::Risky => "would ask a person",
                Triage::Deny => "would deny it",
            };
            let text = format!("the guard {would} (rule {rule}), but guard.mode was {mode}");
            say("Not blocked", Tone::Good, text)
        }
        Event::UndoPointRestored { point, written, removed, failed, .. } => {
            let written = count(*written, "file");
            let text = format!("{written} written and {removed} removed, from undo point {point}");
            match failed {
                0 => say("Restored", Tone::Good, text),
                failed => say("Restored", Tone::Warn, format!("{text}; {failed} failed")),
            }
        }
        Event::ReviewDecided { .. } | Event::VerificationRecorded { .. } => {
            say("Recorded", Tone::Plain, summary(answer))
        }
        Event::GateChanged { gate, from, to, cause, .. } if !is_measured(gate.as_str()) => {
            let moved = gate_move(gate.as_str(), from, to);
            say("Recorded", Tone::Plain, format!("{moved}; {cause}"))
        }
        Event::TaskRecorded { .. } | Event::HandoffWritten { .. } => {
            say("Recorded", Tone::Plain, format!("{} {}", answer.kind(), summary(answer)))
        }
        _ => None,
    }
}

/// Whether the gate only measures sessions, so that its changes are no answers.
pub(crate) fn is_measured(gate: &str) -> bool {
    use verger_gate::drift;
    [drift::GATE, drift::SCORER, verger_drift::READER].contains(&gate)
}

fn of_silence(subject: &Event) -> VerdictSentence {
    let text = "no enabled check acts on this event";
    match subject {
        Event::ToolRequested(_) | Event::PermissionAsked { .. } | Event::PromptSubmitted { .. } => {
            VerdictSentence::new("Allowed", Tone::Good, text)
        }
        subject if is_stop(subject) => VerdictSentence::new("Allowed", Tone::Good, text),
        _ => VerdictSentence::new("Recorded", Tone::Plain, text),
    }
}

fn is_stop(event: &Event) -> bool {
    matches!(event, Event::StopRequested(_) | Event::SubagentStopRequested { .. })
}

/// The reasons of the gates and guards that gave this verdict.
fn because(subject: &Event, verdict: &Verdict, reason: &str, by: &[Opinion]) -> String {
    let same = |opinion: &&Opinion| {
        std::mem::discriminant(&opinion.verdict) == std::mem::discriminant(verdict)
    };
    let reasons: Vec<_> = by.iter().filter(same).filter_map(opinion_reason).collect();
    let reasons = match &reasons[..] {
        [] => reason.lines().next().unwrap_or_default().to_owned(),
        reasons => reasons.join("; "),
    };
    match (is_stop(subject), call(subject)) {
        (false, Some(call)) => match reasons.strip_prefix("it ") {
            Some(does) => format!("`{call}` {does}"),
            None => format!("`{call}`: {reasons}"),
        },
        _ => reasons,
    }
}

/// The rule behind an opinion in words, with the number of the refusal.
fn opinion_reason(opinion: &Opinion) -> Option<String> {
    let rule = opinion.grounds.rule()?;
    let fact = |name| opinion.grounds.facts().iter().find(|fact| fact.name == name);
    Some(match (fact("why"), fact("refusal")) {
        (Some(why), _) => format!("{} (rule {rule})", why.value),
        (None, Some(number)) => format!("{rule}; refusal {}", number.value),
        (None, None) => rule.to_owned(),
    })
}

/// The shell command, file or tool of a call.
fn call(event: &Event) -> Option<String> {
    let (Event::ToolRequested(call) | Event::PermissionAsked { call, .. }) = event else {
        return None;
    };
    Some(match call.shell_line() {
        Some(line) => shortened(line),
        None => summary(event),
    })
}

#[cfg(test)]
mod tests {
    use verger_event::{EventId, Grounds, Timestamp, ToolCall};

    use super::*;

    fn verdict(verdict: Verdict, by: &'static str, grounds: Grounds) -> Event {
        let opinion = Opinion { by: by.into(), verdict: verdict.clone(), grounds };
        let on = EventId::new(Timestamp::from_millis(1), 1);
        Event::VerdictGiven { verdict, on, by: vec![opinion], notice: None }
    }

    fn told(subject: &Event, answer: &Event) -> String {
        of_answer(subject, answer).unwrap_or_else(|| of_silence(subject)).text()
    }

    #[test]
    fn a_verdict_on_a_call_names_the_call_the_reason_and_the_rule() {
        let call = Event::ToolRequested(ToolCall::shell("rm -rf src"));
        let guard = || Grounds::of_rule("remove-tree").fact("why", "it removes a whole directory");
        let reason = || "verger: this did not run".to_owned();
        for (given, expected) in [
            (Verdict::Deny { reason: reason() }, "Denied"),
            (Verdict::Ask { reason: reason() }, "Asked a person"),
            (Verdict::Allow { reason: reason() }, "Allowed"),
        ] {
            let told = told(&call, &verdict(given, "guard", guard()));
            let does = "`rm -rf src` removes a whole directory (rule remove-tree).";
            assert_eq!(told, format!("{expected}: {does}"));
        }
        let without_grounds =
            verdict(Verdict::Deny { reason: reason() }, "toy", Grounds::default());
        assert_eq!(
            told(&call, &without_grounds),
            "Denied: `rm -rf src`: verger: this did not run."
        );
    }

    #[test]
    fn silence_is_told_as_such() {
        let call = Event::ToolRequested(ToolCall::shell("ls"));
        assert_eq!(of_silence(&call).text(), "Allowed: no enabled check acts on this event.");
        let other = Event::SubagentStarted;
        assert_eq!(of_silence(&other).text(), "Recorded: no enabled check acts on this event.");
    }
}
