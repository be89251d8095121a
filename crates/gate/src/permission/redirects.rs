//! Files that a command's redirects read and write.

use verger_shell::{Command, Mode, Redirect};

use super::judgement::Triage;
use super::operands::is_harmless_file;
use super::paths::{Ground, is_of_class};

/// What a redirect comes to, where it is more than harmless.
pub(super) struct Redirected {
    pub(super) triage: Triage,
    pub(super) rule: &'static str,
    pub(super) why: &'static str,
}

pub(super) fn worst(command: &Command, ground: &Ground<'_>) -> Option<Redirected> {
    command
        .redirects
        .iter()
        .filter_map(|redirect| judged(redirect, ground))
        .max_by_key(|found| found.triage)
}

fn judged(redirect: &Redirect, ground: &Ground<'_>) -> Option<Redirected> {
    let word = &redirect.target;
    let is = |class| is_of_class(class, word, ground);
    let found = |triage, rule, why| Some(Redirected { triage, rule, why });
    match redirect.mode {
        Mode::Duplicate => None,
        Mode::Read if is_harmless_file(word, ground) => None,
        Mode::Read => found(
            Triage::Unknown,
            "reads-hidden-file",
            "it reads a file that should not be read unasked",
        ),
        Mode::Write | Mode::Append | Mode::ReadWrite => {
            let target = word.text();
            if matches!(target, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty") {
                None
            } else if is("device") {
                found(Triage::Deny, "write-device", "it writes over a disk")
            } else if is("own") {
                found(
                    Triage::Deny,
                    "write-own-files",
                    "it writes to verger's files or to an agent's settings",
                )
            } else if is("git") || is("secret") {
                found(Triage::Risky, "write-protected", "it writes to a protected file")
            } else if is("root") {
                found(Triage::Risky, "write-system", "it writes to a file of the system")
            } else {
                found(Triage::Unknown, "write-file", "it writes to a file")
            }
        }
    }
}
