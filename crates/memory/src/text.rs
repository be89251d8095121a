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
//! The detail is quoted, so that nothing in it can be read as part of the form. A line that
//! wouldn't survive an editor or a change of line ends (`\r`, trailing blanks) is written as a JSON
//! string right after the `>`. So are summaries and items of lists that would be read differently.
//!
//! Git merges such files line by line (`merge=union`): lines that both sides have at the beginning
//! or the end of their additions are inserted once, and so are runs of four and more. An entry
//! therefore begins and ends with its id, and its id is repeated, as a comment, between any three
//! other lines.
//!
//! People may write it by hand: fields one per line and in front, the detail unquoted, no id.

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
