//! Every state with every input, and the rules that hold for any sequence of them.

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
