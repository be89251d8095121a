//! What goes from one command of a line to another: code from afar that is run, and secrets that are
//! sent away.

use verger_shell::{Command, Script, Stdin};

use super::judgement::{Finding, Triage};
use super::paths::Ground;

/// What the line's pipes and substitutions come to.
pub(super) fn findings(script: &Script, _ground: &Ground<'_>) -> Vec<Finding> {
    let bomb = script.commands.iter().position(|command| feeds_itself(command, script));
    bomb.map(|index| Finding {
        triage: Triage::Deny,
        rule: "fork-bomb".to_owned(),
        why: "it starts itself again and again until the machine stops".to_owned(),
        instead: None,
        command: Some(index),
    })
    .into_iter()
    .collect()
}

/// `x | x`, as in `x() { x | x & }; x`. Only what does nothing by itself stands there like this.
fn feeds_itself(command: &Command, script: &Script) -> bool {
    const FILTERS: &[&str] = &["cat", "tee", "sort", "uniq", "rev", "tac"];
    let Stdin::Pipe(Some(from)) = command.stdin else { return false };
    let [program] = command.argv.as_slice() else { return false };
    script.commands.get(from).is_some_and(|feeder| {
        feeder.argv.as_slice() == [program.clone()] && !FILTERS.contains(&program.text())
    })
}
