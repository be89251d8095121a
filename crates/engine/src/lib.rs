//! The application: handles one event at a time, for the hook or for a command.
//!
//! [`Engine::handle`] decides about an observed event, records it, and returns the answer for the
//! agent. The hook and the commands only read input and write output.
//!
//! The engine doesn't wait for a network, a model or a daemon.

mod bounded_file;
mod call;
mod client_process;
mod clock;
mod decay_policy;
mod decision;
mod engine;
mod environment;
mod facts;
mod failure;
mod find_facts;
mod follow_up;
mod gate;
mod gates;
mod home;
mod left_commands;
mod locate;
mod notification;
mod project_library;
mod real_path;
mod registered;
mod registry;
mod settings;
mod trust;
mod undo;
mod unstored;
mod upkeep;

pub use bounded_file::read_bounded;
pub use clock::{Clock, seed_of_child};
pub use decay_policy::decay_policy;
pub use engine::{Engine, GIT_TIME_LIMIT, Input};
pub use environment::Environment;
pub use facts::{
    AddedStubs, Amount, ChangedWork, FactFinder, QUICK_TREE_TIME_LIMIT, TREE_TIME_LIMIT,
    UnknownContent, WorkExtent, work_directory,
};
pub use failure::{Failed, Failure, caught, guarded, remember_panic, warning_draft};
pub use gates::guard::opinion::{OpinionFailure, OpinionRequest, ask_opinion};
pub use gates::guard::rules::{GuardRule, LoadedRules};
pub use gates::guard::{
    Answered, EdgeFacts, LineGuard, ProtectedFiles, Release, answer_unseen, guard_mode,
};
pub use gates::habits::{LineHabit, habits_of_line};
pub use gates::learning::policy::learning_policy;
pub use gates::learning::ticket_order::ticket_order;
pub use gates::recall::{Found, LeftOut, Preview, PreviewOf, Previewed, Selection, TaskSelection};
pub use gates::review::block_template::{
    ChosenTemplate, MAX_TEMPLATE_BYTES, block_template, template_problems,
};
pub use gates::review::namesake::{Namesake, find_namesake};
pub use gates::review::policy::review_policy;
pub use gates::review::reviewer::reviewer;
pub use gates::review::run::{MAX_REVIEW_OUTPUT_BYTES, ReviewEnd, ReviewRun, review_job};
pub use gates::verification::plan::verification_plan;
pub use gates::verification::policy::verification_policy;
pub use home::{Home, NoHome};
pub use project_library::{ProjectLibrary, open_library};
pub use real_path::{real_paths, without_dots};
pub use registered::Registered;
pub use registry::State;
pub use settings::{ConfigFile, ConfigFiles, LoadedSettings, ProjectFile, load_settings};
pub use trust::{UnusableTrust, content_hash, read_trust, trusted_worktree};
pub use undo::{undo_limits, undo_retention};
pub use unstored::{Shelving, Unstored, Waiting, take_turn};
pub use upkeep::{
    FoundLeft, LEFT_SESSIONS_WORD, LeftSessions, Log, Looked, Round, UPKEEP_WORD, Upkeep,
    UpkeepError, Upkept, forget_looks, look_in_background, restore_start_trees, run_in_background,
};
