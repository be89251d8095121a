//! Tests of the status of a verification, its stored forms, and the gate.

mod acts;
pub(crate) mod built;
mod flow;
mod folding;
mod judging;
mod play;
mod rules;
mod said;
mod stored;
mod table;
