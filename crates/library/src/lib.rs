//! Stores learnings and their statistics, and finds the current ticket.
//!
//! The hook program links this crate. So the crate starts programs and waits only where the caller
//! asks for that.

mod backend;
mod catalogue;
mod choice;
mod in_memory;
mod library;
mod local_time;
mod mark;
mod markdown;
mod marks;
mod piece_text;
mod shared_file;
mod statistics;
mod stats_log;
mod switch;
pub mod tickets;
mod total_recall;
mod untold;
mod weighing;

pub use backend::{Backend, BackendKind, Entries, Health, Source, SourceState};
pub use catalogue::{
    Catalogue, Effort, Fault, Filed, Filter, Outcome, Refreshed, Standing, Standings,
};
pub use choice::{BackendFound, BackendWhy, BackendsWanted, choose};
pub use in_memory::InMemory;
pub use library::{Library, Placement, Shelved};
pub use local_time::LocalTime;
pub use mark::Mark;
pub use markdown::Markdown;
pub use shared_file::{FileError, Ground, Piece, Reading, SharedFile};
pub use statistics::{Statistics, Suspects};
pub use stats_log::{StatsLog, StatsReading};
pub use switch::Switch;
pub use total_recall::{Archive, TotalRecall};
pub use untold::TellError;
pub use weighing::{Weighed, weighed};
