//! Where learnings are kept, their statistics, and which ticket is being worked on.
//!
//! Linked into the hook program: it starts nothing and waits for nothing unless it is asked to.

mod backend;
mod catalogue;
mod mark;
mod markdown;
mod piece_text;
mod shared_file;
pub mod tickets;

pub use backend::{Backend, BackendKind, Entries, Health, Source, SourceState};
pub use catalogue::{
    Catalogue, Effort, Fault, Filed, Filter, Outcome, Refreshed, Standing, Standings,
};
pub use mark::Mark;
pub use markdown::Markdown;
pub use shared_file::{FileError, Ground, Piece, Reading, SharedFile};
