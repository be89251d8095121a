//! Derives statistics lines from the log of a session. A line's id is derived from the id of its
//! record, so that repeated lines count once.

use std::collections::BTreeMap;

use serde_json::Value;
use verger_event::{Correction, Draft, Event, Fate, Reference};

use super::line::{StatsEvent, StatsLine};
use crate::candidate::Rejected;
use crate::fields::text_list;
use crate::learning::Learning;
use crate::learning_id::LearningId;
use crate::words::{Criterion, SkippedBy};

/// The name of the gate whose skipped reflections are counted.
const GATE: &str = "learning";

/// The statistics lines for a log record about learnings. `tickets` are the tickets that the
/// session worked on.
pub fn lines_of(draft: &Draft, tickets: &[String]) -> Vec<StatsLine> {
    let line = |(number, event)| StatsLine {
        id: draft.id.derived(number),
        at: draft.at,
        session: Some(draft.origin.session.clone()),
        tickets: tickets.to_vec(),
        event,
    };
    (0..).zip(events_of(&draft.event)).map(line).collect()
}

fn events_of(event: &Event) -> Vec<StatsEvent> {
    match event {
        Event::ContextInjected { sources, scores, corrections, .. } => {
            let surfaced = |source: &String| {
                let (learning, score) = (source.parse().ok()?, scores.get(source).copied());
                Some(StatsEvent::Surfaced { learning, score })
            };
            let corrected = |Correction { learning, by }: &Correction| {
                let by = by.as_ref().and_then(|by| by.parse().ok());
                Some(StatsEvent::Corrected { learning: learning.parse().ok()?, by })
            };
            let surfaced = sources.iter().filter_map(surfaced);
            surfaced.chain(corrections.iter().filter_map(corrected)).collect()
        }
        Event::LearningSeen { learning, fate, how } => {
            let learning = learning.parse().ok();
            learning.map(|learning| seen(learning, *fate, *how)).into_iter().collect()
        }
        Event::ReflectionRecorded { learnings, rejected, kept, rejections, .. } => {
            reflected(learnings.len() as u64 + rejected, kept, rejections)
        }
        Event::GateChanged { gate, change: Some(change), .. } if gate == GATE => {
            skipped(change).into_iter().collect()
        }
        _ => vec![],
    }
}

fn seen(learning: LearningId, fate: Fate, how: Option<Reference>) -> StatsEvent {
    match fate {
        Fate::Referenced => {
            StatsEvent::Referenced { learning, how: how.unwrap_or(Reference::Explicit) }
        }
        Fate::Dismissed => StatsEvent::Dismissed { learning },
        Fate::Corrected => StatsEvent::Corrected { learning, by: None },
        Fate::Archived => StatsEvent::Archived { learning, reason: String::new() },
        Fate::Restored => StatsEvent::Restored { learning, reason: String::new() },
    }
}

fn reflected(candidates: u64, kept: &[Value], rejections: &[Value]) -> Vec<StatsEvent> {
    let kept: Vec<_> = kept.iter().filter_map(|value| Learning::from_json(value).ok()).collect();
    let mut criteria: BTreeMap<Criterion, u64> = BTreeMap::new();
    for criterion in kept.iter().flat_map(|learning| &learning.criteria) {
        *criteria.entry(*criterion).or_default() += 1;
    }
    let accepted = kept.iter().map(|learning| learning.id.clone()).collect();
    let mut events = vec![StatsEvent::Reflection { candidates, accepted, criteria }];
    for new in &kept {
        events.extend(
            new.supersedes
                .iter()
                .map(|old| StatsEvent::Superseded { learning: old.clone(), by: new.id.clone() }),
        );
    }
    events.extend(rejections.iter().map(|value| {
        let Rejected { summary, tags, reasons } = Rejected::from_json(value);
        StatsEvent::Rejected {
            summary,
            tags,
            reasons: reasons.iter().map(|one| format!("{} {}", one.field, one.says)).collect(),
        }
    }));
    events
}

/// Reads a skipped reflection from a state change of the gate `learning`.
fn skipped(change: &Value) -> Option<StatsEvent> {
    let text = |key: &str| change.get(key).and_then(Value::as_str);
    (text("is") == Some("skipped")).then(|| StatsEvent::Skip {
        by: text("by").and_then(|by| by.parse().ok()).unwrap_or(SkippedBy::Agent),
        lines: change.get("lines").and_then(Value::as_u64),
        files: text_list(change, "files").unwrap_or_default(),
        reason: text("reason").unwrap_or_default().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verger_event::{Access, Actor, EventId, Grounds, Origin, SessionId, Standing, Timestamp};

    use super::*;
    use crate::samples::full;
    use crate::stats::render;

    /// The statistics lines of an event, without the fields that are equal in all of them.
    fn told(event: Event) -> Vec<String> {
        let at = Timestamp::from_millis(7);
        let origin = Origin {
            agent: "claude".parse().unwrap(),
            session: SessionId::new("s-1"),
            actor: Actor::Main { agent_type: None },
            project: None,
            user: None,
            role: None,
            agent_version: None,
            circumstance: verger_event::Circumstance::default(),
        };
        let id = EventId::new(at, u128::MAX);
        let (standing, access) = (Standing::default(), Access::default());
        let draft = Draft { id, at, origin, standing, access, event };
        let lines = lines_of(&draft, &["vg-17".to_owned()]);
        assert_eq!(lines, lines_of(&draft, &["vg-17".to_owned()]), "always the same");
        let mut ids: Vec<_> = lines.iter().map(|line| line.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), lines.len(), "ids are unique");
        for line in &lines {
            assert_eq!(line.session, Some(SessionId::new("s-1")));
            assert_eq!(line.tickets, ["vg-17"]);
        }
        let shared = ["v", "id", "at", "session", "tickets"];
        let shown = lines.iter().map(|line| {
            let text = render(std::slice::from_ref(line));
            let mut value: Value = serde_json::from_str(&text).unwrap();
            value.as_object_mut().unwrap().retain(|key, _| !shared.contains(&key.as_str()));
            value.to_string()
        });
        shown.collect()
    }

    #[test]
    fn records_about_learnings_are_told_and_others_are_not() {
        let seen = |fate, how| Event::LearningSeen { learning: "learn-a".to_owned(), fate, how };
        assert_eq!(
            told(Event::ContextInjected {
                moment: "session.started".to_owned(),
                on: None,
                sources: ["learning gate", "learn-a", "learn-b"].map(str::to_owned).into(),
                text: String::new(),
                grounds: Grounds::default(),
                scores: [("learn-a".to_owned(), 831)].into(),
                corrections: vec![Correction {
                    learning: "learn-c".to_owned(),
                    by: Some("learn-a".to_owned()),
                }],
            }),
            [
                r#"{"event":"surfaced","learning":"learn-a","score":831}"#,
                r#"{"event":"surfaced","learning":"learn-b"}"#,
                r#"{"by":"learn-a","event":"corrected","learning":"learn-c"}"#
            ]
        );
        assert_eq!(
            told(seen(Fate::Referenced, Some(Reference::Implicit))),
            [r#"{"event":"referenced","how":"implicit","learning":"learn-a"}"#]
        );
        assert_eq!(
            told(seen(Fate::Dismissed, None)),
            [r#"{"event":"dismissed","learning":"learn-a"}"#]
        );
        let reason = json!({ "field": "summary", "says": "is short" });
        let rejected = json!({ "summary": "x", "tags": ["t"], "reasons": [reason] });
        assert_eq!(
            told(Event::ReflectionRecorded {
                learnings: vec!["learn-x".to_owned()],
                rejected: 1,
                kept: vec![full().to_json()],
                rejections: vec![rejected],
                tickets: vec![],
            }),
            [
                r#"{"accepted":["learn-01M7G83FEM0000000000000007"],"candidates":2,"criteria":{"behavior_changing":1,"stable_fact":1},"event":"reflection"}"#,
                r#"{"by":"learn-01M7G83FEM0000000000000007","event":"superseded","learning":"learn-abc123"}"#,
                r#"{"event":"rejected","reasons":["summary is short"],"summary":"x","tags":["t"]}"#
            ]
        );
        let [from, to, cause] = ["pending", "skipped", "?"].map(str::to_owned);
        let change = |change| Event::GateChanged {
            gate: GATE.into(),
            from: from.clone(),
            to: to.clone(),
            cause: cause.clone(),
            change,
        };
        let skip = json!({ "is": "skipped", "by": "person", "reason": "a typo" });
        assert_eq!(
            told(change(Some(skip))),
            [r#"{"by":"person","event":"skip","reason":"a typo"}"#]
        );
        let (by, files) = ("auto", ["src/save.rs"]);
        let skip = json!({ "is": "skipped", "by": by, "reason": "r", "lines": 3, "files": files });
        assert_eq!(
            told(change(Some(skip))),
            [r#"{"by":"auto","event":"skip","files":["src/save.rs"],"lines":3,"reason":"r"}"#]
        );
        let none = [""; 0];
        assert_eq!(told(change(Some(json!({ "is": "held" })))), none);
        assert_eq!(told(change(None)), none);
        assert_eq!(told(Event::SubagentStarted), none);
    }
}
