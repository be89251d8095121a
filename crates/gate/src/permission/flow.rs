//! Follows data from one command of a command line to another. Finds remote code that the command
//! line runs, and secrets that it sends.

mod reach;
mod remote;
mod sent;

use verger_shell::{Command, Script, Stdin};

use super::judgement::{Finding, Triage};
use super::paths::Ground;

/// A dangerous flow of data on a command line, before it becomes a [`Finding`].
struct Flow {
    triage: Triage,
    rule: &'static str,
    why: &'static str,
    instead: &'static str,
    command: usize,
}

/// The findings about the data flow of a command line. Rules that the user switched off (`lifted`)
/// give no finding.
pub(super) fn findings(script: &Script, ground: &Ground<'_>, lifted: &[String]) -> Vec<Finding> {
    let bombs = (0..script.commands.len())
        .find(|index| feeds_itself(&script.commands[*index], script))
        .map(|command| Flow {
            triage: Triage::Deny,
            rule: "fork-bomb",
            why: "it starts itself again and again until the machine stops",
            instead: "",
            command,
        });
    let flows =
        bombs.into_iter().chain(remote::flows(script, ground)).chain(sent::flows(script, ground));
    flows
        .filter(|flow| !lifted.iter().any(|name| name == flow.rule))
        .map(|flow| Finding {
            triage: flow.triage,
            rule: flow.rule.to_owned(),
            why: flow.why.to_owned(),
            instead: (!flow.instead.is_empty()).then(|| flow.instead.to_owned()),
            command: Some(flow.command),
        })
        .collect()
}

/// Whether a command pipes into itself: `x | x`, as in the fork bomb `x() { x | x & }; x`. Filters
/// such as `cat | cat` don't count.
fn feeds_itself(command: &Command, script: &Script) -> bool {
    const FILTERS: &[&str] = &["cat", "tee", "sort", "uniq", "rev", "tac"];
    let Stdin::Pipe(Some(from)) = command.stdin else { return false };
    let [program] = command.argv.as_slice() else { return false };
    script.commands.get(from).is_some_and(|feeder| {
        feeder.argv.as_slice() == [program.clone()] && !FILTERS.contains(&program.text())
    })
}
