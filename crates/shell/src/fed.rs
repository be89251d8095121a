//! What the line itself feeds a command.

use crate::room::Room;
use crate::script::Script;
use crate::unwrap::read_by;

impl Script {
    /// The text that the command with this index reads, when the line shows it: a here-document, or
    /// what `echo` or `printf` writes. Expansions stand as they are written.
    pub fn fed(&self, index: usize) -> Option<String> {
        read_by(&self.commands, self.commands.get(index)?, &Room::of_text())
    }
}
