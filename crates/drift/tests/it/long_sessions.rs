//! What is folded of a session stays small, however long it goes on and whatever happens in it.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;
use verger_drift::{Ending, Track};
use verger_event::{
    Access, Actor, Circumstance, Continuation, Draft, Event, EventId, Fold, Interruption, Origin,
    PromptOrigin, Record, SessionId, Standing, StartSource, StopRequest, Timestamp, ToolCall,
    ToolUseId,
};

use crate::properties::{Happening, calls, prompts};

/// So much of it is read and written whenever the course is looked at.
const MAX_BYTES: usize = 32 * 1024;

#[derive(Debug, Clone)]
enum Turn {
    Happens(Happening),
    Stops(String),
    IsLeft,
    IsHandedOver,
    IsCleared,
}

fn turns() -> impl Strategy<Value = Turn> {
    let said = prop_oneof!["Fixed\\.|Shall I go on\\?|", "I chose [a-z]{3} because [a-z]{3}\\."];
    prop_oneof![
        40 => calls().prop_map(Turn::Happens),
        4 => prompts().prop_map(|prompt| Turn::Happens(Happening::Prompt(prompt))),
        4 => said.prop_map(Turn::Stops),
        2 => Just(Turn::IsLeft),
        1 => Just(Turn::IsHandedOver),
        1 => Just(Turn::IsCleared),
    ]
}

#[derive(Default)]
struct Story {
    track: Track,
    records: u64,
}

impl Story {
    fn take(&mut self, turn: Turn) {
        let number = self.records;
        let event = match turn {
            Turn::Happens(Happening::Prompt(prompt)) => {
                Event::PromptSubmitted { origin: PromptOrigin::Person, prompt }
            }
            Turn::Happens(Happening::Call { tool, input, failed, output }) => {
                let id = Some(ToolUseId::new(format!("t{number}")));
                let call = ToolCall { id, tool: tool.to_owned(), input };
                if failed {
                    let (error, interruption) = (output, Interruption::None);
                    Event::ToolFailed { call, error, interruption, duration_ms: None }
                } else {
                    let response = json!({ "stdout": output });
                    Event::ToolSucceeded { call, response, duration_ms: None }
                }
            }
            Turn::Stops(words) => Event::StopRequested(StopRequest {
                continuation: Continuation::First,
                last_message: Some(words),
                background: vec![],
                crons: vec![],
            }),
            Turn::IsLeft => return self.record(),
            Turn::IsHandedOver => {
                let handoff = self.track.handoff(&[]);
                let text: String = format!("{handoff:?}").chars().take(4_000).collect();
                Event::HandoffWritten { trigger: "a test".to_owned(), text }
            }
            Turn::IsCleared => {
                Event::SessionStarted { source: StartSource::Clear, model: None, transcript: None }
            }
        };
        self.apply(event);
    }

    /// Somebody finds that the session was left, and then somebody else.
    fn record(&mut self) {
        let left = |track: &Track| track.records_of_all(Ending::SessionLeft, |_| false);
        for record in left(&self.track) {
            assert!(!record.details.trace.is_empty(), "{record:?}");
            self.apply(record.event());
        }
        assert_eq!(left(&self.track), [], "it is recorded once");
    }

    fn apply(&mut self, event: Event) {
        self.records += 1;
        let at = Timestamp::from_millis(self.records);
        let cwd = Some("/home/dev/app".to_owned());
        let draft = Draft {
            id: EventId::new(at, self.records.into()),
            at,
            origin: Origin {
                agent: "claude".parse().unwrap(),
                agent_version: None,
                session: SessionId::new("s"),
                actor: Actor::Main { agent_type: None },
                user: None,
                role: None,
                project: None,
                circumstance: Circumstance { cwd, ..Circumstance::default() },
            },
            standing: Standing::default(),
            access: Access::default(),
            event,
        };
        self.track.apply(&Record { seq: self.records, draft });
    }
}

#[test]
fn ten_thousand_arbitrary_steps_are_folded_into_a_bounded_state() {
    let mut runner = TestRunner::deterministic();
    let turns = turns();
    let mut story = Story::default();
    let mut largest = 0;
    for number in 0..10_000 {
        story.take(turns.new_tree(&mut runner).unwrap().current());
        if number % 50 == 49 {
            largest = largest.max(postcard::to_allocvec(&story.track).unwrap().len());
        }
    }
    assert!((1024..MAX_BYTES).contains(&largest), "{largest} bytes");
}
