//! Every state with every input, and the rules that hold for any sequence of them.

mod acts;
mod built;
mod flow;
mod play;
mod rules;
mod said;
mod stored;
mod table;
