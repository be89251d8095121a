//! Tests of the whole hook program, with the real coding agent and with faults in its
//! environment.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "helper functions here are test code too, and some tests measure time"
)]

mod agent_session;
mod claude_answers;
mod claude_duplicates;
mod claude_interactive;
mod claude_sessions;
#[cfg(feature = "fixed")]
mod clock_faults;
mod configuration_faults;
mod copilot_as_claude;
#[cfg(feature = "fixed")]
mod corrections;
mod delegation;
mod disk_faults;
#[cfg(feature = "fixed")]
mod drift;
#[cfg(feature = "fixed")]
mod drift_reader;
mod duplicates;
#[cfg(feature = "fixed")]
mod gate_stage;
#[cfg(feature = "fixed")]
mod gated_commands;
#[cfg(feature = "fixed")]
mod gated_spellings;
#[cfg(feature = "fixed")]
mod guard_opinions;
mod guard_rules;
mod guarded_builds;
mod guarded_calls;
#[cfg(feature = "fixed")]
mod habit_rewrites;
#[cfg(feature = "fixed")]
mod habits;
mod hostile_input;
#[cfg(feature = "fixed")]
mod idle_sessions;
#[cfg(feature = "fixed")]
mod implicit_uses;
#[cfg(feature = "fixed")]
mod learning_closes;
#[cfg(feature = "fixed")]
mod learning_faults;
#[cfg(feature = "fixed")]
mod learning_sessions;
#[cfg(feature = "fixed")]
mod learning_stage;
#[cfg(feature = "fixed")]
mod left_commands;
#[cfg(feature = "fixed")]
mod left_sessions;
mod log;
mod malformed_input;
mod namesakes;
#[cfg(feature = "fixed")]
mod notifications;
mod offered_tasks;
mod other_agents;
#[cfg(feature = "fixed")]
mod own_commands;
#[cfg(feature = "fixed")]
mod recall;
mod review_bounds;
#[cfg(feature = "fixed")]
mod review_faults;
#[cfg(feature = "fixed")]
mod review_store_faults;
#[cfg(feature = "fixed")]
mod review_triggers;
#[cfg(feature = "fixed")]
mod reviewer;
#[cfg(feature = "fixed")]
mod reviewer_tokens;
mod scene;
mod secrets;
mod silence;
mod slow_input;
mod stage;
#[cfg(feature = "fixed")]
mod staged_secrets;
mod surroundings;
mod trust;
#[cfg(feature = "fixed")]
mod undo_faults;
#[cfg(feature = "fixed")]
mod undo_left_out;
#[cfg(feature = "fixed")]
mod undo_overwrites;
#[cfg(feature = "fixed")]
mod undo_points;
#[cfg(feature = "fixed")]
mod undo_removals;
#[cfg(feature = "fixed")]
mod upkeep;
#[cfg(feature = "fixed")]
mod verification_claims;
#[cfg(feature = "fixed")]
mod verification_faults;
#[cfg(feature = "fixed")]
mod verification_stage;
#[cfg(feature = "fixed")]
mod worked_example;
