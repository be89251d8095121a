//! Learnings, which are lessons for later sessions: their form, the judgement of candidates, the
//! choice for agents, and the archiving of unused learnings.
//!
//! A reflection offers a [`Candidate`]. An accepted candidate becomes a [`Learning`], whose text
//! never changes again. Later events about a learning are appended to other files and folded, so
//! that two branches with different events can always be merged. This crate does no I/O: time, ids
//! and files are parameters.
#![warn(missing_docs)]

mod candidate;
mod decay;
mod fields;
pub mod implicit;
pub mod injection;
pub mod insights;
mod judgement;
mod learning;
mod learning_id;
pub mod moment;
mod near_duplicate;
pub mod ranking;
mod reflection;
mod routing;
#[cfg(test)]
mod samples;
pub mod stats;
mod status;
mod stored;
mod suspicion;
pub mod text;
pub mod tokens;
mod usefulness;
mod words;

pub use candidate::{Candidate, Reason, Rejected};
pub use decay::{Decay, DecayPolicy, decay};
pub use fields::WrongField;
pub use judgement::{Judgement, Known, Origin, Remark, TurnedAway, judge};
pub use learning::{Learning, Provenance};
pub use learning_id::{BadLearningId, LearningId};
pub use near_duplicate::{NearDuplicates, say_the_same};
pub use reflection::{
    EXAMPLE, EXAMPLE_MARKDOWN, MAX_CANDIDATES, NoReflection, Offered, Reflection, SCHEMA, Used,
};
pub use routing::{BackendSource, DailyLogs, Target, target};
pub use status::{Status, StatusChange, StatusMove, status_of};
pub use stored::{NotALearning, STORED_VERSION};
pub use suspicion::{CodeChange, NamedFile, code_changes, gone_share, has_symbol, suspicion};
pub use words::{Category, Confidence, Criterion, Scope, SkippedBy, UnknownWord};
