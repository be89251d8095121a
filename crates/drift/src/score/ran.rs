//! What of a line that failed was done all the same.

use std::borrow::Cow;

use crate::step::{Action, Command, CommandKind, Effect, Step};

/// A step as far as it was done. Of a line that failed the last command did: what stands before it ran, and what it was to do to the
/// project is not done. Of another call nothing is.
pub(super) fn ran(step: &Step) -> Cow<'_, Step> {
    if !step.failed || step.action != Action::Bash {
        return Cow::Borrowed(step);
    }
    let line = step.command.as_deref().unwrap_or_default();
    let before = step.commands.len().saturating_sub(last_commands(line));
    let (ran, failed) = step.commands.split_at(before);
    let failed = failed.iter().filter(|command| is_run(command));
    let failed = failed.map(|command| Command { effect: Effect::None, ..command.clone() });
    let commands: Vec<Command> = ran.iter().cloned().chain(failed).collect();
    let files = commands.iter().flat_map(|one| one.changes.iter().cloned());
    let files = files.take(step.files.len()).collect();
    Cow::Owned(Step { files, commands, ..step.clone() })
}

/// Whether a command is what it does, whatever comes of it.
fn is_run(command: &Command) -> bool {
    use CommandKind::{
        AddsDependency, Changes, Commits, Pushes, RemovesDependency, Reverts, Upgrades,
    };
    !matches!(
        command.kind,
        AddsDependency | Changes | Commits | Pushes | RemovesDependency | Reverts | Upgrades
    )
}

/// So many commands are behind the last `&&`, `;` or line break: the one that failed is among them.
fn last_commands(line: &str) -> usize {
    let mut quote = None;
    let mut count = 1;
    let mut chars = line.trim_end_matches([';', '\n', ' ']).chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '\\') => drop(chars.next()),
            (None, ';' | '\n') => count = 1,
            (None, '&') if chars.next_if_eq(&'&').is_some() => count = 1,
            (None, '|') => {
                chars.next_if_eq(&'|');
                count += 1;
            }
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_failed_is_among_the_last() {
        let cases = [
            ("git checkout a && cargo test", 1),
            ("git checkout a && cargo test 2>&1 | tail -3", 2),
            ("git commit -m 'a && b'", 1),
            ("a; b || c", 2),
            ("a\nb\n", 1),
        ];
        for (line, expected) in cases {
            assert_eq!(last_commands(line), expected, "{line}");
        }
    }
}
