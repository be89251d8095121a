//! The text form of a learning: the form of `learnings.md`, and of a reflection in Markdown.
//!
//! ```text
//! ## Retry of `save` doubles the row {#learn-01M7G83FEM0000000000000007}
//!
//! > The key is made per attempt. Make it once, before the loop.
//!
//! - category: pitfall | scope: project | tags: retry | id: learn-01M7G83FEM0000000000000007
//! ```
//!
//! The detail is quoted, so that nothing in it can be parsed as part of the form. A line that an
//! editor or a change of line ends would change (`\r`, trailing blanks) is written as a JSON
//! string right after the `>`. The same is true for summaries and list items that would not be
//! parsed as the same text.
//!
//! Git merges such files line by line (`merge=union`). It inserts lines only once if both sides
//! have them at the beginning or the end of their additions, or in runs of four or more. So an
//! entry begins and ends with its id, and its id is repeated, as a comment, after any three other
//! lines.
//!
//! People may write entries by hand: one field per line before the detail, the detail unquoted, no
//! id.

pub mod daily;
#[cfg(test)]
mod history;
mod keys;
mod quoting;
mod reading;
mod sections;
#[cfg(test)]
mod tests;
mod writing;

pub use keys::Key;
pub use reading::{Document, Placed, Problem, parse};
pub use sections::{Section, sections};
pub use writing::render;
