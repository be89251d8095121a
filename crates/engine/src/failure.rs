//! Failures while an event is handled. The caller decides how they are reported; the hook has one
//! fail policy for that.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

use crate::home::NoHome;
use verger_event::{Access, Answer, Draft, Event, EventId, Origin, SessionId, Standing};
use verger_store::StoreError;

use crate::Clock;

/// Why an event could not be handled.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The agent's name can't be a name in the log.
    #[error("use the agent name {0:?}")]
    AgentName(&'static str),
    /// No directory for verger's files was found.
    #[error(transparent)]
    Home(#[from] NoHome),
    /// The log could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A panic, which is a bug in verger.
    #[error("a bug in verger: {0}")]
    Panicked(String),
}

/// A failure, and its session if that is known.
#[derive(Debug)]
pub struct Failed {
    /// The session.
    pub session: Option<SessionId>,
    /// The failure.
    pub failure: Failure,
    /// The guard's answer, if the guard judged before the failure.
    pub answer: Option<Box<Answer>>,
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self { session: None, failure, answer: None }
    }
}

/// Runs `work` and turns a panic into a failure.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Failed>) -> Result<T, Failed> {
    caught(work).unwrap_or_else(|failure| Err(failure.into()))
}

/// Runs `work`; a panic is [`Failure::Panicked`].
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Failure::Panicked(remembered_panic()))
}

/// A record of a warning, and the record that it is about, if there is one.
pub fn warning_draft(clock: &Clock, origin: Origin, event: Event, about: Option<EventId>) -> Draft {
    Draft {
        id: clock.next_id(),
        at: clock.now(),
        origin,
        standing: Standing { evidence: about.into_iter().collect(), ..Standing::default() },
        access: Access::default(),
        event,
    }
}

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Stores the location of a panic for [`Failure::Panicked`]. The panic's message is dropped,
/// because it may quote a payload.
pub fn remember_panic(info: &PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    LAST_PANIC.with_borrow_mut(|last| *last = format!("panicked at {place}"));
}

fn remembered_panic() -> String {
    LAST_PANIC.with_borrow(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_names_its_place_and_quotes_nothing() {
        std::panic::set_hook(Box::new(remember_panic));
        let line = line!() + 1;
        let failure = guarded::<()>(|| panic!("sk-ant-quoted")).unwrap_err().failure.to_string();
        drop(std::panic::take_hook());
        let place = format!("a bug in verger: panicked at crates/engine/src/failure.rs:{line}");
        assert_eq!(failure.rsplit_once(':').map(|(place, _)| place), Some(place.as_str()));
    }
}
