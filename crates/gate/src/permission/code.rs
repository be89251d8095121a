//! Programs in other languages that stand on the line.

use verger_shell::Command;

use super::judgement::Triage;

/// What a program in another language comes to.
pub(super) struct Coded {
    pub(super) triage: Triage,
    pub(super) rule: &'static str,
    pub(super) why: &'static str,
}

pub(super) fn judged(command: &Command) -> Option<Coded> {
    command.code.as_ref()?;
    Some(Coded {
        triage: Triage::Unknown,
        rule: "runs-code",
        why: "it runs a program that stands on the line",
    })
}
