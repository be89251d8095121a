//! Chores as people start them.

mod soak;
