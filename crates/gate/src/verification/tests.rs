//! What a verification comes to, and the forms in which it is kept.

pub(crate) mod built;
mod folding;
mod judging;
mod stored;
