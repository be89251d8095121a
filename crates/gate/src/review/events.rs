//! Builds the log events for a step of the review gate.

use verger_event::{Event, Timestamp};

use super::change::Change;
use super::step::Step;
use super::{GATE, Review};

/// The log events for a step of the gate, in order: one for each change of the gate, and the events
/// that verger keeps longer than the session.
pub fn events(review: &Review, step: &Step, now: Timestamp) -> Vec<Event> {
    let mut review = review.clone();
    let mut events = vec![];
    for change in &step.changes {
        let from = review.phase.name().to_owned();
        review.apply(change, now);
        events.push(Event::GateChanged {
            gate: GATE.into(),
            from,
            to: review.phase.name().to_owned(),
            cause: change.cause(),
            // Serializing a change can't fail.
            change: serde_json::to_value(change).ok(),
        });
        events.extend(lasting(change));
    }
    events
}

/// The event for a change that verger keeps longer than the session, if there is one.
fn lasting(change: &Change) -> Option<Event> {
    match change {
        Change::Decided { reviewer, decision, content } => Some(Event::ReviewDecided {
            decision: decision.outcome,
            summary: decision.summary.clone(),
            message: decision.message.clone(),
            content_hash: Some(content.clone()),
            reviewer: Some(reviewer.to_string()),
            opinions: decision.opinions.clone(),
        }),
        Change::Released { by, reason } => Some(Event::GateReleased {
            gate: GATE.into(),
            by: (*by).into(),
            reason: reason.clone().unwrap_or_else(|| by.meaning().to_owned()),
        }),
        Change::Wanted { .. }
        | Change::Denied { .. }
        | Change::Held { .. }
        | Change::ReviewerStarted { .. }
        | Change::Attested { .. }
        | Change::ReviewerHeld { .. }
        | Change::ReviewerEnded { .. }
        | Change::RunEnded { .. }
        | Change::Refused { .. }
        | Change::ApprovalUsed
        | Change::Restored
        | Change::PassedUncompared
        | Change::Satisfied => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verger_event::{ContentHash, Releaser};

    use super::super::{Decision, Outcome, Phase, ReleasedBy, ReviewerId, Say, Trigger, Want};
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    fn events_of(changes: Vec<Change>) -> Vec<Event> {
        let want = Want::new(Trigger::Always, Timestamp::from_millis(0));
        let review = Review { phase: Phase::Pending { want }, ..Review::default() };
        events(&review, &Step { changes, say: Say::Taken }, NOW)
    }

    fn changed(from: &str, to: &str, cause: &str, change: serde_json::Value) -> Event {
        Event::GateChanged {
            gate: "review".into(),
            from: from.into(),
            to: to.into(),
            cause: cause.into(),
            change: Some(change),
        }
    }

    #[test]
    fn a_decision_that_releases_keeps_both_and_what_outlives_the_session() {
        let decision = Decision {
            outcome: Outcome::Unavailable,
            summary: "no quota".into(),
            message: None,
            opinions: None,
        };
        let reviewer = ReviewerId::Command("job".into());
        let content = ContentHash::new("abc");
        let changes = vec![
            Change::Decided { reviewer, decision, content },
            Change::Released { by: ReleasedBy::Unavailable, reason: None },
        ];
        let decided = json!({
            "is": "decided",
            "reviewer": "command:job",
            "decision": {
                "outcome": "unavailable",
                "summary": "no quota",
                "message": null,
                "opinions": null,
            },
            "content": "abc",
        });
        let expected = vec![
            changed("pending", "pending", "reviewer decided unavailable", decided),
            Event::ReviewDecided {
                decision: Outcome::Unavailable,
                summary: "no quota".into(),
                message: None,
                content_hash: Some(ContentHash::new("abc")),
                reviewer: Some("command:job".into()),
                opinions: None,
            },
            changed(
                "pending",
                "idle",
                "released by unavailable",
                json!({ "is": "released", "by": "unavailable" }),
            ),
            Event::GateReleased {
                gate: "review".into(),
                by: Releaser::Unavailable,
                reason: "the review could not be made".into(),
            },
        ];
        assert_eq!(events_of(changes), expected);
    }

    #[test]
    fn a_persons_reason_is_kept() {
        let reason = Some("it is late".to_owned());
        let expected = vec![
            changed(
                "pending",
                "idle",
                "released by person",
                json!({ "is": "released", "by": "person", "reason": "it is late" }),
            ),
            Event::GateReleased {
                gate: "review".into(),
                by: Releaser::Person,
                reason: "it is late".into(),
            },
        ];
        let change = Change::Released { by: ReleasedBy::Person, reason };
        assert_eq!(events_of(vec![change]), expected);
    }
}
