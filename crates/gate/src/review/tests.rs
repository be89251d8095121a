//! Tests of the review gate: tables of every state with every input, and invariants for random
//! sequences of events.

mod acts;
mod attempts;
pub(crate) mod built;
mod deciding;
mod flow;
pub(crate) mod play;
mod rules;
mod shown;
mod stored;
mod table;
