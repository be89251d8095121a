//! Parses shell command lines into the commands that they run.
//!
//! ```
//! let script = verger_shell::read("cd /tmp && sudo -u me bash -lc 'gh issue close 5'");
//! let programs: Vec<_> = script.commands.iter().filter_map(|command| command.program()).collect();
//! assert_eq!(programs, ["cd", "sudo", "bash", "gh"]);
//! ```
//!
//! The command line is parsed by the shell's grammar, without recursion and within limits. The
//! commands run by programs such as `sudo`, and texts given to shells, are parsed too. Anything
//! that is known only when the command line runs remains a non-literal word or an unread part.

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
