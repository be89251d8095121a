//! What a verification comes to, and the forms in which it is kept.

mod built;
mod folding;
mod judging;
mod stored;
