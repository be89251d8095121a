//! The only crate that runs git. It finds facts about a working tree and a task's changes in it,
//! saves and restores undo points, and creates small repositories.
//!
//! A hook reads these facts in unknown directories, perhaps inside of a git hook. So git runs
//! without inherited git variables, without programs configured by the repository, and with a time
//! limit. Every failure has a defined result.

mod added;
mod begun;
mod content;
mod create;
mod diff;
mod earlier;
mod fields;
mod git;
mod git_settings;
mod ground;
mod head;
mod history;
mod identity;
mod ignore;
mod ignore_rules;
mod ignored_paths;
mod index_file;
mod lines;
mod manifest;
mod movement;
mod own_index;
mod packing;
mod private;
mod project;
mod real_paths;
mod reflog;
mod repository;
mod self_started;
mod shared_root;
mod start_tree;
mod stat_cache;
mod status;
mod touched;
mod tree_error;
pub mod undo;
mod version;
mod working_tree;

pub use added::{Added, AddedFile, NotAdded, Taken, added_lines};
pub use begun::{BegunLines, begun_lines, keep_begun};
pub use content::{ChangeKind, ChangedFile, Content, MovedOut, NoContent, content};
pub use create::{CreateError, create_repository};
pub use diff::{Diff, diff};
pub use earlier::{Earlier, earlier_contents};
pub use git::Git;
pub use ground::{RefusedConfig, Surroundings, root_within, root_without_git};
pub use head::{Head, head};
pub use identity::user_identity;
pub use ignore::Ignore;
pub use ignored_paths::ignored_paths;
pub use lines::changed_lines;
pub use manifest::differing_paths;
pub use packing::{PackedStart, has_start, pack_start, unpack_start};
pub use project::{IdBasis, PathReason, ProjectFacts, Vcs, project_facts};
pub use self_started::self_started;
pub use shared_root::{is_in_other_worktree, shared_root};
pub use start_tree::{NoStartTree, StartTree, take_commit_tree, take_start_tree};
pub use touched::touched_content;
pub use tree_error::TreeError;
