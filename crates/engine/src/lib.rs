//! The application: handles one event at a time, whatever the way it came in.
//!
//! [`Engine::handle`] decides about an observed event, records it and gives the answer for the agent. The programs
//! around it (the hook, the commands) read and write; they decide nothing.
//!
//! Nothing here waits for a network, a model or a daemon.

mod block_template;
mod bounded_file;
mod clock;
mod decay_policy;
mod delegation_gate;
mod drift_gate;
mod drift_program;
mod engine;
mod environment;
mod facts;
mod failure;
mod gate_patience;
mod gates;
mod guard;
mod guard_rules;
mod habit_guard;
mod implicit_use;
mod learning_gate;
mod learning_policy;
mod left_commands;
mod namesake;
mod offering;
mod opinion;
mod oracle;
mod own_commands;
mod project_library;
mod real_path;
mod recalling;
mod registered;
mod review_gate;
mod review_policy;
mod review_rules;
mod review_run;
mod settings;
mod spoken;
mod ticket_facts;
mod ticket_order;
mod tool_patterns;
mod trust;
mod undo;
mod unstored;
mod upkeep;
mod verification_gate;
mod verification_plan;
mod verification_policy;

pub use block_template::{ChosenTemplate, MAX_TEMPLATE_BYTES, block_template, template_problems};
pub use bounded_file::read_bounded;
pub use clock::{Clock, seed_of_child};
pub use decay_policy::decay_policy;
pub use engine::{Engine, GIT_TIME_LIMIT, Input};
pub use environment::Environment;
pub use facts::{
    AddedStubs, Amount, ChangedWork, FactFinder, TREE_TIME_LIMIT, UnknownContent, WorkExtent,
    work_directory,
};
pub use failure::{Failed, Failure, caught, guarded, remember_panic, warning_draft};
pub use guard::{
    Answered, EdgeFacts, LineGuard, ProtectedFiles, Release, answer_unseen, guard_mode,
};
pub use guard_rules::{GuardRule, LoadedRules};
pub use habit_guard::{LineHabit, habits_of_line};
pub use learning_policy::learning_policy;
pub use namesake::{Namesake, find_namesake};
pub use opinion::{OpinionFailure, OpinionRequest, ask_opinion};
pub use project_library::{ProjectLibrary, open_library};
pub use real_path::{real_paths, without_dots};
pub use recalling::{Found, LeftOut, Preview, PreviewOf, Previewed, Selection, TaskSelection};
pub use registered::Registered;
pub use review_policy::review_policy;
pub use review_rules::reviewer;
pub use review_run::{MAX_REVIEW_OUTPUT_BYTES, ReviewEnd, ReviewRun, review_job};
pub use settings::{ConfigFile, ConfigFiles, LoadedSettings, ProjectFile, load_settings};
pub use ticket_order::ticket_order;
pub use trust::{UnusableTrust, content_hash, read_trust, trusted_worktree};
pub use undo::{undo_limits, undo_retention};
pub use unstored::{Unstored, Waiting, take_turn};
pub use upkeep::{
    FoundLeft, LEFT_SESSIONS_WORD, LeftSessions, Log, Looked, Round, UPKEEP_WORD, Upkeep,
    UpkeepError, Upkept, look_in_background, run_in_background,
};
pub use verger_gate::State;
pub use verification_plan::verification_plan;
pub use verification_policy::verification_policy;
