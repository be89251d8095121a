//! Handles one hook call, from input bytes to output text.

use verger_engine::{Clock, Engine, Environment, Input};
use verger_store_local::LocalStore;

use crate::failure::{Failed, Failure};
use crate::input;
use crate::invocation::Invocation;

/// Handles the call. Returns the text for standard output, if there is any.
pub(crate) fn answer(
    Invocation { agent, event: event_name, registered, guard }: Invocation<'_>,
    environment: &Environment,
    clock: &Clock,
) -> Result<Option<String>, Failed> {
    let spec =
        verger_agent::by_name(agent).ok_or_else(|| Failure::UnknownAgent(agent.to_owned()))?;
    let payload = input::read_value().map_err(Failure::from)?;
    let (observed, malformed) = match (spec.decode)(event_name, &payload) {
        Ok(None) => return Ok(None),
        Ok(Some(observed)) => (observed, None),
        // A payload that can't be decoded is still recorded, and the person is warned.
        Err(malformed) => match (spec.salvage)(event_name, &payload) {
            Some(observed) if !payload.trim_ascii().is_empty() => (observed, Some(malformed)),
            Some(_) | None => return Err(Failure::from(malformed).into()),
        },
    };
    drop(payload);
    if (spec.is_foreign)(&|name| environment.text(name), &observed.session) {
        return Ok(None);
    }
    let open_store = &LocalStore::open;
    let engine = Engine { spec, registered, guard_mode: guard, environment, clock, open_store };
    let answer = engine.handle(Input { event_name, observed, malformed })?;
    Ok((spec.encode)(event_name, &answer))
}
