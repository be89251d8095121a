//! Resolves raw configuration layers to settings that know the origin of every value.
//!
//! The layers are parameters: the caller of [`resolve()`] has read the files and the environment.
//! Precedence, highest first: environment, project file, user file, defaults. An error in a layer
//! doesn't keep the rest of the layer from counting; errors are returned as [`Problem`]s.
//!
//! Every key is one entry of the table in `keys.rs`.

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

/// The most bytes of a configuration file.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The most bytes of a name (of a user, a role, a reader, a key).
pub const MAX_NAME_BYTES: usize = 256;

/// The most bytes of an argument of a command.
pub const MAX_ARGUMENT_BYTES: usize = 4096;

/// The most list entries from one layer.
pub const MAX_LIST_ENTRIES: usize = 64;

/// The most problems that one layer reports. After as many syntax errors, the layer is given up.
pub const MAX_PROBLEMS: usize = 64;
