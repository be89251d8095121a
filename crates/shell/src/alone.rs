//! Recognises a command line that is a single plain command.

use crate::room::Room;
use crate::script::{Alone, Command, Mode, Redirect, Script, Shape, Stdin, Word};
use crate::unwrap::written_by;

impl Script {
    /// The only command of the command line. It has literal words, no assignments, and no redirects
    /// except `2>&1` and `>&2`. Its input may be a here-document, or a single `echo` or `printf`,
    /// without expansions. `None` for any other command line.
    pub fn alone(&self) -> Option<Alone<'_>> {
        if self.shape != Shape::Plain || !self.unread.is_empty() {
            return None;
        }
        let (command, stdin) = match self.commands.as_slice() {
            [command] => match &command.stdin {
                Stdin::Inherited => (command, None),
                Stdin::Text(text) => (command, Some(text.literal()?.to_owned())),
                Stdin::Pipe(_) | Stdin::File => return None,
            },
            [writer, command] if command.stdin == Stdin::Pipe(Some(0)) => {
                if !is_plain(writer)
                    || !writer.redirects.is_empty()
                    || writer.stdin != Stdin::Inherited
                {
                    return None;
                }
                (command, Some(written_by(writer, &Room::of_text())?))
            }
            _ => return None,
        };
        (is_plain(command) && command.redirects.iter().all(joins_outputs))
            .then(|| Alone { argv: command.argv.iter().map(Word::text).collect(), stdin })
    }
}

fn is_plain(command: &Command) -> bool {
    command.assignments.is_empty()
        && !command.argv.is_empty()
        && command.argv.iter().all(|word| word.literal().is_some())
}

/// Whether the redirect only joins standard output and standard error.
fn joins_outputs(redirect: &Redirect) -> bool {
    redirect.mode == Mode::Duplicate && matches!(redirect.target.literal(), Some("1" | "2"))
}
