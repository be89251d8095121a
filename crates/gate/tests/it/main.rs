//! The gates and guards from outside.

mod claim_score;
mod guard_corpus;
mod guard_properties;
mod guard_real_work;
mod guard_score;
mod guard_storms;
mod habit_storms;
