//! Records the calls of a program of the user's choice, and stops calling it for a while after
//! repeated failures.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verger_event::{Event, Timestamp};

/// The number of failures in a row after which the program isn't called until [`PAUSE_MS`] have
/// passed.
const MAX_FAILURES: u32 = 3;

/// The maximum number of characters that are kept of a failure's reason.
const MAX_WHY: usize = 200;

/// The length of the pause after [`MAX_FAILURES`] failures, in milliseconds.
const PAUSE_MS: u64 = 60 * 1000;

/// A circuit breaker: after several failures in a row, the program isn't called for a while.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Breaker {
    failures: u32,
    paused_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<LastFailure>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered: Option<Timestamp>,
}

/// The last call of the program that gave no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastFailure {
    /// The time of the failure.
    pub at: Timestamp,
    /// The reason for the failure, shortened.
    pub why: String,
}

/// The result of a call of the program, as the log stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Asked {
    /// The program answered.
    Answered,
    /// The program gave no usable answer, or no answer in time.
    Failed,
}

impl Breaker {
    /// Whether the program may be called now.
    pub fn may_ask(&self, now: Timestamp) -> bool {
        self.paused_until.is_none_or(|until| until <= now)
    }

    /// The number of failures in a row and the last failure. `None` if the program never failed
    /// since its last answer.
    pub fn trouble(&self) -> Option<(u32, &LastFailure)> {
        self.last.as_ref().map(|last| (self.failures, last))
    }

    /// The time of the program's last answer.
    pub fn answered(&self) -> Option<Timestamp> {
        self.answered
    }

    pub(crate) fn apply(&mut self, asked: Asked, at: Timestamp, why: &str) {
        match asked {
            Asked::Answered => *self = Self { answered: Some(at), ..Self::default() },
            Asked::Failed => {
                self.failures = self.failures.saturating_add(1);
                self.last = Some(LastFailure { at, why: why.chars().take(MAX_WHY).collect() });
                if self.failures >= MAX_FAILURES {
                    let until = at.as_millis().saturating_add(PAUSE_MS);
                    self.paused_until = Some(Timestamp::from_millis(until));
                }
            }
        }
    }
}

/// The log event for one call of the program and its result.
pub fn asked(gate: &'static str, asked: Asked, cause: &str) -> Event {
    let to = match asked {
        Asked::Answered => "answered",
        Asked::Failed => "failed",
    };
    Event::GateChanged {
        gate: gate.into(),
        from: "asked".to_owned(),
        to: to.to_owned(),
        cause: cause.to_owned(),
        // Serializing this enum can't fail.
        change: serde_json::to_value(asked).ok(),
    }
}

/// Adds the program's answer to the log event of its call, as the field `name`.
pub(crate) fn with_answer(mut asked: Event, name: &str, answer: &impl Serialize) -> Event {
    if let Event::GateChanged { change: Some(Value::Object(change)), .. } = &mut asked
        && let Ok(answer) = serde_json::to_value(answer)
    {
        change.insert(name.to_owned(), answer);
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_failures_in_a_row_are_a_pause_of_a_minute() {
        let at = Timestamp::from_millis;
        let mut breaker = Breaker::default();
        for asked in [Asked::Failed, Asked::Failed, Asked::Answered, Asked::Failed, Asked::Failed] {
            breaker.apply(asked, at(5), "late");
            assert!(breaker.may_ask(at(5)));
        }
        breaker.apply(Asked::Failed, at(10), "late");
        assert!(!breaker.may_ask(at(10)) && !breaker.may_ask(at(10 + PAUSE_MS - 1)));
        assert!(breaker.may_ask(at(10 + PAUSE_MS)));
        breaker.apply(Asked::Failed, at(10 + PAUSE_MS), "late");
        assert!(!breaker.may_ask(at(11 + PAUSE_MS)), "one more is enough for the next pause");
        let last = LastFailure { at: at(10 + PAUSE_MS), why: "late".to_owned() };
        assert_eq!(breaker.trouble(), Some((4, &last)));
        breaker.apply(Asked::Answered, at(10 + 2 * PAUSE_MS), "");
        let answered = Some(Timestamp::from_millis(120_010));
        assert_eq!(breaker, Breaker { answered, ..Breaker::default() });
    }
}
