//! The meaning of a line's exit status for one command on it.

use verger_shell::{Inside, Place, Script, Word};

/// Whether a failing line means that this command, or one before it, failed. No command may come
/// after it, and it must not be part of another command's words.
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
