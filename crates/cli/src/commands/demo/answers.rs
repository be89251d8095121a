//! The hook's answers, shortened for people.

use serde_json::Value;

use super::look::Seen;
use super::scene::AnswerKind::{self, Allowed, Denied, Given, Refused, Told};
use super::scene::Speaker;
use crate::render::output::Tone;

/// An answer of the hook.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) kind: AnswerKind,
    text: String,
}

/// Parses the hook's outputs into answers. An empty output contains none.
pub(super) fn answers(outputs: &[String]) -> Vec<Answer> {
    let mut answers = vec![];
    for output in outputs.iter().filter(|output| !output.is_empty()) {
        let output: Value = serde_json::from_str(output).unwrap_or_default();
        let specific = &output["hookSpecificOutput"];
        let decision = match specific["permissionDecision"].as_str() {
            Some("allow") => Allowed,
            _ => Denied,
        };
        // A refused stop is sent as context: the agent continues working with it.
        let context = if specific["hookEventName"] == "Stop" { Refused } else { Given };
        for (kind, text) in [
            (Refused, &output["reason"]),
            (decision, &specific["permissionDecisionReason"]),
            (context, &specific["additionalContext"]),
            (Told, &output["systemMessage"]),
        ] {
            let text = text.as_str().map(str::to_owned);
            answers.extend(text.map(|text| Answer { kind, text }));
        }
    }
    answers
}

/// Lines for the answers, and for differences from the expected answers.
pub(super) fn shown_answers(answers: &[Answer], expected: &[AnswerKind]) -> Vec<Seen> {
    let shown = answers.iter().filter(|answer| answer.kind != Told || expected.contains(&Told));
    let shown: Vec<_> = shown.collect();
    let mut seen: Vec<_> = shown.iter().map(|answer| answer.seen()).collect();
    let kinds: Vec<_> = shown.iter().map(|answer| answer.kind).collect();
    if kinds != expected {
        let text = format!("{}, not {}", listed(&kinds), listed(expected));
        seen.push(Seen::broken(Speaker::Verger, &text));
    }
    seen
}

fn listed(kinds: &[AnswerKind]) -> String {
    if kinds.is_empty() {
        return "silent".to_owned();
    }
    kinds.iter().map(|kind| word(*kind)).collect::<Vec<_>>().join(" and ")
}

fn word(kind: AnswerKind) -> &'static str {
    match kind {
        Refused => "refused",
        Denied => "denied",
        Allowed => "allowed",
        Given => "gives the agent",
        Told => "tells you",
    }
}

impl Answer {
    fn seen(&self) -> Seen {
        let tone = match self.kind {
            Refused | Denied => Tone::Bad,
            Allowed | Given => Tone::Good,
            Told => Tone::Plain,
        };
        let text = match self.kind {
            Told => last_sentence(&self.text),
            _ => first_sentence(main_part(&self.text)),
        };
        let text = format!("{}: {}", word(self.kind), short_ids(&text));
        Seen::promised(Speaker::Verger, text, tone)
    }
}

/// The first learning or task in a text. Without one, the whole text. The introduction before it is
/// meant for the agent and left out.
fn main_part(text: &str) -> &str {
    let text = text.strip_prefix("verger: ").unwrap_or(text);
    let learning = text.lines().find(|line| line.starts_with("[learn-"));
    let task = || text.strip_prefix("<verger-tasks>")?.split("\n\n").nth(1)?.lines().next();
    learning.or_else(task).unwrap_or(text)
}

/// The first sentence, with an ellipsis if more follow.
fn first_sentence(text: &str) -> String {
    let (line, more) = text.split_once('\n').unwrap_or((text, ""));
    match line.split_once(". ") {
        Some((sentence, _)) => format!("{sentence}. …"),
        None if more.trim().is_empty() => line.to_owned(),
        None => format!("{line} …"),
    }
}

/// The last sentence, which tells a person what to do next. An ellipsis precedes it if there are
/// more.
fn last_sentence(text: &str) -> String {
    match text.rsplit_once(". ") {
        Some((_, sentence)) => format!("… {sentence}"),
        None => text.to_owned(),
    }
}

/// The text with the id of every learning shortened to `learn-…`.
pub(super) fn short_ids(text: &str) -> String {
    const BEGINNING: &str = "learn-";
    const ID_LENGTH: usize = 26;
    let mut parts = text.split(BEGINNING);
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let length = part.bytes().take_while(u8::is_ascii_alphanumeric).count();
        short.push_str(BEGINNING);
        if length == ID_LENGTH {
            short.push('…');
            short.push_str(&part[length..]);
        } else {
            short.push_str(part);
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::demo::look::Finding;

    #[test]
    fn a_shortened_text_says_so() {
        assert_eq!(first_sentence("Stop. Now."), "Stop. …");
        assert_eq!(first_sentence("Stop.\nNow."), "Stop. …");
        assert_eq!(first_sentence("Stop (v1.2).\n"), "Stop (v1.2).");
        assert_eq!(last_sentence("Denied. Go on: verger why"), "… Go on: verger why");
        assert_eq!(last_sentence("Denied"), "Denied");
        let ids = "[learn-01K3Z9QF0V8T2M4N6P8R0S2T4V] learn-by-doing";
        assert_eq!(short_ids(ids), "[learn-…] learn-by-doing");
    }

    #[test]
    fn an_unexpected_answer_breaks_the_promise() {
        let denial = r#"{"hookSpecificOutput": {"permissionDecision": "deny",
            "permissionDecisionReason": "verger: no. Ask."}, "systemMessage": "verger denied it. See why"}"#;
        let answers = answers(&[String::new(), denial.to_owned()]);
        let texts = |expected| {
            let seen = shown_answers(&answers, expected).into_iter();
            seen.map(|seen| (seen.text, seen.finding == Finding::Broken)).collect::<Vec<_>>()
        };
        let denied = ("denied: no. …".to_owned(), false);
        let told = ("tells you: … See why".to_owned(), false);
        let broken = |text: &str| (text.to_owned(), true);
        assert_eq!(texts(&[Denied, Told]), [denied.clone(), told]);
        assert_eq!(texts(&[]), [denied.clone(), broken("NOT AS EXPECTED: denied, not silent")]);
        assert_eq!(texts(&[Refused]), [denied, broken("NOT AS EXPECTED: denied, not refused")]);
        let silence = shown_answers(&[], &[Denied]);
        assert_eq!(silence[0].text, "NOT AS EXPECTED: silent, not denied");
    }
}
