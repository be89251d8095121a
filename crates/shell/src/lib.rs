//! What a shell command line really runs.
//!
//! ```
//! let script = verger_shell::read("cd /tmp && sudo -u me bash -lc 'gh issue close 5'");
//! let programs: Vec<_> = script.commands.iter().filter_map(|command| command.program()).collect();
//! assert_eq!(programs, ["cd", "sudo", "bash", "gh"]);
//! ```
//!
//! The line is read by the grammar of the shell, without recursion and within bounds. Programs that
//! run programs are followed, and so are texts that shells are given. What only running it would
//! show stays what it is: a word that is not literal, or an unread part.

mod alone;
mod braces;
mod code_texts;
mod dialect;
mod fed;
mod glob;
mod mention;
mod odd;
mod parser;
mod pattern;
mod reader;
mod readings;
mod room;
mod script;
mod unwrap;
mod values;
mod written;

pub use code_texts::texts_in_code;
pub use glob::Glob;
pub use odd::Odd;
pub use pattern::{CommandPattern, PatternError};
pub use reader::read;
pub use script::{
    Alone, Assignment, Command, Form, Inside, Mode, Place, Redirect, Run, Script, Stdin, Unread,
    When, Why, Word,
};
pub use written::{OPEN, Written};
