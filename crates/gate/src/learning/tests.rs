//! Tests of the learning gate: tables of every state with every input, and invariants for random
//! sequences of events.

mod acts;
mod built;
mod flow;
mod play;
mod rules;
mod said;
mod stored;
mod table;
