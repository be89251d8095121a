//! Decides what the exit status of a command line says about one of its commands.

use verger_shell::{Inside, Place, Script, Word};

/// Whether a failure of the command line means that the command at `at`, or a command before it,
/// failed. Returns `false` if another command follows, if it isn't certain that an outer command
/// runs this one, if an earlier command has a substitution, or if a part of the command line can't
/// be parsed.
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
