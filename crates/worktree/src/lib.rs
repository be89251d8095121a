//! The only crate that runs git. For now: facts about a working tree, and making a small one.
//!
//! A hook asks for these facts inside directories that it knows nothing about, perhaps from
//! inside a git hook. So git is run with nothing inherited that steers it, with no program of the
//! repository's choosing, and for a bounded time; and whatever goes wrong, there is an answer.

mod create;
mod git;
mod ground;
mod identity;
mod project;

pub use create::{CreateError, create_repository};
pub use git::Git;
pub use ground::{RefusedConfig, find_project_config, root_without_git};
pub use identity::user_identity;
pub use project::{IdBasis, PathReason, ProjectFacts, Vcs, project_facts};
