//! Resolves layers of configuration to settings that know the origin of every value.
//!
//! The layers are parameters: the caller of [`resolve()`] reads the files and the environment.
//! Precedence, highest first: environment, project file, user file, defaults. An error in a layer
//! doesn't affect the rest of the layer; errors are returned as [`Problem`]s.
//!
//! The table in `keys.rs` has one entry for every key.

mod choice;
mod document;
mod edit;
mod environment;
mod inside_run;
mod keys;
mod layers;
mod learning_value;
mod nearest;
mod problem;
mod program_value;
mod reference;
mod rendering;
mod resolve;
mod review_value;
mod rule;
mod rule_file;
mod statement;
mod trust;
mod value;

pub use choice::PlainHabitMode;
pub use edit::{EditError, KeyName, Unset};
pub use environment::{RESERVED_VARIABLES, is_relevant_variable};
pub use keys::{
    BackendSettings, DecaySettings, DelegationSettings, GateSettings, GuardSettings, HabitSettings,
    LearningSettings, RecallSettings, RecordSettings, RedactSettings, ReviewSettings, Settings,
    StoreSettings, TicketSettings, TraceSettings, UndoSettings, UserSettings, VerificationSettings,
};
pub use layers::{Layers, Origin, Project, ProjectTrust, Setting, Source};
pub use learning_value::{Order, Several, Share};
pub use nearest::near;
pub use problem::{Loss, Place, Problem, ProblemKind};
pub use program_value::ProgramCommand;
pub use reference::{KeyReference, ListedSetting, reference};
pub use resolve::resolve;
pub use review_value::{TemplateChoice, TemplateId, TemplateWeights};
pub use rule::Class;
pub use rule_file::{MAX_RULE_FILE_BYTES, RuleKey, RuleTable, read_rules};
pub use trust::{TrustFault, TrustList, TrustedFile, TrustedWorktree};

/// Maximum number of bytes of a configuration file.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// Maximum number of bytes of a name, such as that of a user, a role, a reader or a key.
pub const MAX_NAME_BYTES: usize = 256;

/// Maximum number of bytes of a command's argument.
pub const MAX_ARGUMENT_BYTES: usize = 4096;

/// Maximum number of list entries from one layer.
pub const MAX_LIST_ENTRIES: usize = 64;

/// Maximum number of problems that are reported for one layer. After this many syntax errors, the
/// rest of the layer is ignored.
pub const MAX_PROBLEMS: usize = 64;
