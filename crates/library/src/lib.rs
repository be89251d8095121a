//! Where learnings are kept, their statistics, and which ticket is being worked on.
//!
//! Linked into the hook program: it starts nothing and waits for nothing unless it is asked to.

pub mod tickets;
