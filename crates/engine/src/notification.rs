//! Notifications: the person's own program (`notify.command`) runs when an agent is blocked, is
//! released from an unsatisfied gate, or waits for the person. The text is its last argument.
//! verger doesn't wait for the program. A failure to start it is recorded as a warning.

use std::path::Path;

use verger_config::ProgramCommand;
use verger_event::{Answer, Event, Releaser, Verdict};
use verger_exec::leave_behind;

use crate::Environment;

/// Maximum number of characters of a notification.
const MAX_CHARS: usize = 200;

/// The text of the notification, or `None` if the person need not know of the event. `decided`
/// are verger's own events about it.
pub(crate) fn text(event: &Event, answer: &Answer, decided: &[Event]) -> Option<String> {
    let released = decided.iter().find_map(|event| match event {
        Event::GateReleased { gate, by, reason } if !matches!(by, Releaser::Person) => {
            Some(format!("released by the {} gate: {reason}", gate.as_str()))
        }
        _ => None,
    });
    let held = || match (event, &answer.verdict) {
        (Event::StopRequested(_), Verdict::Deny { reason }) => Some(format!("held: {reason}")),
        _ => None,
    };
    let waiting = || match event {
        Event::Notified { message, .. } => Some(format!("waits for you: {message}")),
        _ => None,
    };
    released.or_else(held).or_else(waiting)
}

/// Starts the person's program in `cwd`, with `text` as its last argument.
pub(crate) fn send(
    command: &ProgramCommand,
    text: &str,
    cwd: Option<&str>,
    environment: &Environment,
) -> std::io::Result<()> {
    let directory =
        cwd.and_then(|cwd| Path::new(cwd).file_name()).map(|name| name.to_string_lossy());
    let text = text.lines().next().unwrap_or_default();
    let text = format!("agent in {}: {text}", directory.as_deref().unwrap_or("/"));
    let text: String = text.chars().take(MAX_CHARS).collect();
    let arguments = command.arguments.iter().chain([&text]);
    let variables = environment.all().iter().map(|(name, value)| (&**name, &**value));
    leave_behind(Path::new(&command.program), arguments, variables)
}

#[cfg(test)]
mod tests {
    use verger_event::{Continuation, StopRequest};

    use super::*;

    fn answer(verdict: Verdict) -> Answer {
        Answer { verdict, ..Answer::default() }
    }

    #[test]
    fn a_held_a_released_and_a_waiting_agent_are_told_of() {
        let stop = || {
            Event::StopRequested(StopRequest {
                continuation: Continuation::First,
                last_message: None,
                background: vec![],
                crons: vec![],
            })
        };
        let deny = || answer(Verdict::Deny { reason: "no review\nmore".to_owned() });
        let released =
            |by| Event::GateReleased { gate: "review".into(), by, reason: "3 refusals".to_owned() };
        let notified =
            Event::Notified { kind: "idle_prompt".to_owned(), message: "Claude waits".to_owned() };
        let requested = Event::SubagentStarted;
        let rows = [
            (stop(), deny(), vec![], Some("held: no review\nmore")),
            (stop(), answer(Verdict::NoOpinion), vec![], None),
            (
                stop(),
                answer(Verdict::NoOpinion),
                vec![released(Releaser::Breaker)],
                Some("released by the review gate: 3 refusals"),
            ),
            (stop(), answer(Verdict::NoOpinion), vec![released(Releaser::Person)], None),
            (notified, answer(Verdict::NoOpinion), vec![], Some("waits for you: Claude waits")),
            (requested, deny(), vec![], None),
        ];
        for (event, answer, decided, expected) in rows {
            assert_eq!(text(&event, &answer, &decided).as_deref(), expected, "{event:?}");
        }
    }
}
