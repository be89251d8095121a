//! Permission triage: a decision about a command line that an agent runs, or about a file that an
//! agent's tool reads or writes.
//!
//! [`judge`] judges every command on a command line, at any depth, and the strongest verdict
//! counts. A command is approved only if a rule covers it with all of its options and operands. It
//! is denied if a rule recognises that it destroys data, runs remote code or leaks secrets. A
//! command without a rule is *unknown*, and the client's own policy decides. A command line that
//! can't be parsed and may be dangerous is *risky*.
//!
//! Rules are data ([`Rule`]), and each rule has examples that the tests run. An approval may depend
//! on [`Condition`]s, which the caller must check.

mod approval;
mod atoms;
mod awk;
mod code;
mod conditions;
mod directories;
mod evaluations;
mod examples;
mod expansions;
mod files;
mod find_expression;
mod flow;
mod guard_state;
mod harm;
mod judge;
mod judgement;
mod listing;
pub mod message;
mod name_pattern;
mod named;
mod operands;
pub mod opinion;
mod option_values;
mod options;
mod overwritten;
mod own_writes;
mod paths;
mod prefix;
mod program;
mod redirects;
pub mod release;
mod removed;
mod requests;
mod revisions;
mod rule;
mod rule_text;
mod scene;
mod search;
mod sed;
mod shown;
mod sql;
mod suggestion;
mod tables;
mod targets;
#[cfg(test)]
mod tests;
mod unjudged;
mod wrapped;

pub(crate) use directories::Moves;
pub use examples::{FailedExample, failed_examples};
pub use guard_state::{GuardChange, GuardState};
pub(crate) use harm::root as root_of;
pub use judge::{Rules, is_soon_judged, judge};
pub use judgement::{Condition, Facts, Finding, Judgement, Triage};
pub use name_pattern::fits as fits_name;
pub use named::{NamedPath, hidden_operands, named_paths};
pub use operands::Operands;
pub use overwritten::{Overwritten, overwritten};
pub use paths::{Access, Ground, OWN_FILES, Protection};
pub use prefix::is_harmless_git_variable;
pub(crate) use program::{After, after_subcommands, name as bare_name};
pub use removed::{Swept, emptied_paths, removed_paths, swept};
pub use rule::{Rule, Ruling};
pub use rule_text::{Part, RuleFault};
pub use suggestion::{Suggestion, suggestions};
pub use tables::{built_in, is_known_program};
pub use unjudged::Unjudged;

/// The name of the permission guard in the log and in messages.
pub const GUARD: &str = "guard";
