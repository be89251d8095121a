//! Tests of the gates and guards through their public interface.

mod claim_score;
mod guard_corpus;
mod guard_properties;
mod guard_real_work;
mod guard_score;
mod guard_storms;
mod habit_storms;
