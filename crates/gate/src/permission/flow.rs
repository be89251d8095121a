//! Follows data from one command of a line to another, to find remote code that is run and secrets
//! that are sent away.

mod reach;
mod remote;
mod sent;

use verger_shell::{Command, Script, Stdin};

use super::judgement::{Finding, Triage};
use super::paths::Ground;

/// A dangerous flow, before it becomes a [`Finding`].
struct Flow {
    triage: Triage,
    rule: &'static str,
    why: &'static str,
    instead: &'static str,
    command: usize,
}

/// The findings about the line's pipes and substitutions, except those of rules that the user
/// lifts.
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

/// `x | x`, as in `x() { x | x & }; x`. Only what does nothing by itself stands there like this.
fn feeds_itself(command: &Command, script: &Script) -> bool {
    const FILTERS: &[&str] = &["cat", "tee", "sort", "uniq", "rev", "tac"];
    let Stdin::Pipe(Some(from)) = command.stdin else { return false };
    let [program] = command.argv.as_slice() else { return false };
    script.commands.get(from).is_some_and(|feeder| {
        feeder.argv.as_slice() == [program.clone()] && !FILTERS.contains(&program.text())
    })
}
