//! Finds the input that a command line itself gives to one of its commands.

use crate::room::Room;
use crate::script::Script;
use crate::unwrap::read_by;

impl Script {
    /// The standard input of the command with this index, if the command line shows it: a
    /// here-document, or the output of `echo` or `printf`. Expansions are kept as written.
    pub fn fed(&self, index: usize) -> Option<String> {
        read_by(&self.commands, self.commands.get(index)?, &Room::of_text())
    }
}
