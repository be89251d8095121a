//! What the end of a line says of a command on it.

use verger_shell::{Inside, Place, Script, Word};

/// Whether a line that fails tells that this command failed, or something before it: nothing runs
/// behind it, and it is no part of another command's words.
pub(crate) fn decides_the_exit(script: &Script, at: usize) -> bool {
    let mut last = at;
    loop {
        let place = script.commands[last].place;
        if script.commands[last + 1..].iter().any(|behind| behind.place == place) {
            return false;
        }
        match place {
            Place::Within(outer) if script.commands[outer].inside == Inside::Found => last = outer,
            Place::Within(_) => return false,
            Place::Line => break,
        }
    }
    let substitutes = |word: &Word| ["$(", "<(", "`"].iter().any(|sign| word.text().contains(sign));
    let mut before = script.commands[..last].iter();
    script.unread.is_empty() && !before.any(|command| command.argv.iter().any(substitutes))
}
