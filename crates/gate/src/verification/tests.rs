//! What a verification comes to, the forms in which it is kept, and the gate.

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
