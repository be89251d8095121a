//! Detects completion claims in a replay: the last messages of turns that the verification gate
//! takes for claims.
//!
//! A replayed session changes no file, so its stops are never refused. So each message is given to
//! the hook a second time, in a separate home, after the person's prompt and one changed file. If
//! the hook refuses that second stop, the message is a claim.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::replay::ReplayError;
use crate::replay::failures::holds;
use crate::replay::labels::{ClaimLabel, Labels, digest};
use crate::replay::percentile::share;
use crate::replay::place::ReplayPlace;
use crate::replay::run::Plan;

/// Settings in which only the verification gate is on: it refuses stops with a completion claim.
const SETTINGS: &str = "\
[verification]
mode = \"claims\"
[drift]
mode = \"off\"
[guard]
mode = \"off\"
[undo]
enabled = false
[review]
mode = \"never\"
[learning]
mode = \"off\"
";

/// A separate home in which only the verification gate is on.
pub(crate) struct ClaimProbe {
    place: ReplayPlace,
    messages: usize,
}

impl ClaimProbe {
    pub(crate) fn new(plan: &Plan) -> Result<Self, ReplayError> {
        let place = ReplayPlace::new(&plan.parent, &plan.programs, SETTINGS)?;
        Ok(Self { place, messages: 0 })
    }

    /// Whether the hook refuses a stop with this message, after this prompt and one changed file.
    pub(crate) fn is_claim(&mut self, prompt: &str, message: &str) -> Result<bool, ReplayError> {
        self.messages += 1;
        let number = self.messages;
        // A notice from the client starts no task, and without a task no stop is refused.
        let is_notice = prompt.trim().is_empty() || prompt.trim_start().starts_with('<');
        let prompt = if is_notice { "Go on with the work." } else { prompt };
        let session = format!("00000000-0000-4000-8000-{number:012x}");
        let project = self.place.project().to_string_lossy().into_owned();
        let file = self.place.project().join("work.txt");
        let payload = |mut fields: Value| {
            fields["session_id"] = json!(session);
            fields["cwd"] = json!(project);
            fields["prompt_id"] = json!(format!("prompt-{number}"));
            fields["transcript_path"] = json!(format!("{project}/../transcript.jsonl"));
            fields["permission_mode"] = json!("default");
            self.place.fill(&fields.to_string())
        };
        let prompted = json!({ "hook_event_name": "UserPromptSubmit", "prompt": prompt });
        self.place.hook("UserPromptSubmit", &payload(prompted))?;
        let write = json!({
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_use_id": format!("toolu_{number}"),
            "tool_input": { "file_path": file, "content": number.to_string() },
        });
        self.place.hook("PreToolUse", &payload(write))?;
        let written = fs::write(&file, number.to_string());
        written.map_err(|source| ReplayError::Write { path: file.clone(), source })?;
        let stop = json!({
            "hook_event_name": "Stop",
            "stop_hook_active": false,
            "last_assistant_message": message,
        });
        let answer = self.place.hook("Stop", &payload(stop))?.answer();
        Ok(answer.is_some_and(|answer| holds(&answer)))
    }
}

/// The last message of an agent's turn, with placeholders for paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastMessage {
    pub(crate) session: String,
    pub(crate) prompt: String,
    pub(crate) message: String,
    pub(crate) is_claim: bool,
}

/// The last messages of the turns of all replayed sessions.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    pub(crate) messages: Vec<LastMessage>,
}

/// The numbers of detected and of labelled claims in a group of messages.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct ClaimScore {
    messages: usize,
    detected: usize,
    right: usize,
    labelled_claims: usize,
    labelled: usize,
    labelled_detected: usize,
}

impl ClaimScore {
    fn count(&mut self, is_detected: bool, label: Option<&ClaimLabel>) {
        self.messages += 1;
        self.detected += usize::from(is_detected);
        if let Some(label) = label {
            self.labelled += 1;
            self.labelled_claims += usize::from(label.claim);
            self.labelled_detected += usize::from(is_detected);
            self.right += usize::from(is_detected && label.claim);
        }
    }
}

impl Claims {
    pub(crate) fn add(&mut self, other: Self) {
        self.messages.extend(other.messages);
    }

    pub(crate) fn sort(&mut self) {
        self.messages.sort_by(|one, other| one.session.cmp(&other.session));
    }

    /// The scores by language and by label file. `all` is the score of all messages.
    fn scores(&self, labels: &Labels) -> BTreeMap<String, ClaimScore> {
        let mut scores: BTreeMap<String, ClaimScore> = BTreeMap::new();
        for one in &self.messages {
            let labels = labels.claims.get(&digest(&one.message)).map_or(&[][..], Vec::as_slice);
            let labelled = labels.iter().rev().find_map(|label| label.language.as_deref());
            let language = labelled.unwrap_or_else(|| language_of(&one.message));
            let mut count = |group: String, label: Option<&ClaimLabel>| {
                scores.entry(group).or_default().count(one.is_claim, label);
            };
            count("all".to_owned(), labels.last());
            count(language.to_owned(), labels.last());
            for label in labels {
                count(format!("labels of {}", label.source), Some(label));
                count(format!("labels of {}, {language}", label.source), Some(label));
            }
        }
        scores
    }

    pub(crate) fn text(&self, labels: &Labels) -> String {
        let mut text = String::from("claims\n");
        for (group, score) in self.scores(labels) {
            let mut line = format!("  {group}: detected {}", share(score.detected, score.messages));
            if score.labelled > 0 {
                let precision = share(score.right, score.labelled_detected);
                let recall = share(score.right, score.labelled_claims);
                // Writing to a String cannot fail.
                write!(
                    line,
                    "; {} labelled: precision {precision}, recall {recall}",
                    score.labelled
                )
                .unwrap_or_default();
            }
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    pub(crate) fn json(&self, labels: &Labels) -> Value {
        let scores = self.scores(labels).into_iter().map(|(group, score)| {
            let score = json!({
                "messages": score.messages, "detected": score.detected, "labelled": score.labelled,
                "labelled_claims": score.labelled_claims,
                "labelled_detected": score.labelled_detected, "right": score.right,
            });
            (group, score)
        });
        let messages = self.messages.iter().map(|one| {
            let digest = digest(&one.message);
            let label = labels.claims.get(&digest).and_then(|labels| Some(labels.last()?.claim));
            json!({
                "session": one.session, "digest": digest, "language": language_of(&one.message),
                "detected": one.is_claim, "label": label,
                "prompt": one.prompt, "message": one.message,
            })
        });
        json!({
            "scores": scores.collect::<serde_json::Map<_, _>>(),
            "messages": messages.collect::<Vec<_>>(),
        })
    }
}

/// The language of a message by its letters: `ja` for kana, `en` for mostly Latin letters,
/// otherwise `other`.
fn language_of(message: &str) -> &'static str {
    let letters = message.chars().filter(|letter| letter.is_alphabetic()).count();
    let count = |is: fn(char) -> bool| message.chars().filter(|&letter| is(letter)).count();
    let kana = count(|letter| matches!(letter, '\u{3041}'..='\u{30ff}'));
    let foreign = count(|letter| letter.is_alphabetic() && letter > '\u{24f}');
    let turkish = count(|letter| "ğışİŞĞ".contains(letter));
    if kana * 10 > letters {
        "ja"
    } else if foreign * 10 > letters || turkish * 50 > letters {
        "other"
    } else {
        "en"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_known_by_its_letters() {
        let languages = [
            (
                "Done, see `テスト.md`: all of the tests of the parser pass on every platform now.",
                "en",
            ),
            ("実装しました。テストも通ります。", "ja"),
            ("구현을 완료했습니다.", "other"),
            ("全部完成了。", "other"),
            ("Değişiklik tamamlandı ve testler başarılı.", "other"),
            ("", "en"),
        ];
        for (message, language) in languages {
            assert_eq!(language_of(message), language, "{message}");
        }
    }

    #[test]
    fn precision_and_recall_are_of_labelled_messages() {
        let message = |message: &str, is_claim| LastMessage {
            session: "s1".to_owned(),
            prompt: "fix it".to_owned(),
            message: message.to_owned(),
            is_claim,
        };
        let claims = Claims {
            messages: vec![
                message("All done.", true),
                message("Which one?", true),
                message("It works now.", false),
                message("This one has no label.", true),
            ],
        };
        let label = |message: &str, claim| {
            (digest(message), vec![ClaimLabel { claim, language: None, source: "x".to_owned() }])
        };
        let claims_of =
            [label("All done.", true), label("Which one?", false), label("It works now.", true)];
        let labels = Labels { claims: claims_of.into(), ..Labels::default() };
        let all = ClaimScore {
            messages: 4,
            detected: 3,
            right: 1,
            labelled_claims: 2,
            labelled: 3,
            labelled_detected: 2,
        };
        let of_file = ClaimScore { messages: 3, detected: 2, ..all };
        let expected = BTreeMap::from([
            ("all".to_owned(), all),
            ("en".to_owned(), all),
            ("labels of x".to_owned(), of_file),
            ("labels of x, en".to_owned(), of_file),
        ]);
        assert_eq!(claims.scores(&labels), expected);
    }
}
