//! Tests of the verification gate, the status of a verification, and the stored forms.

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
