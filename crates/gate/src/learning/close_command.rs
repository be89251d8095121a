//! Finds the tickets that a command line closes.
//!
//! The commands that close tickets are a table. `verger_shell` parses the command line, so the
//! spelling doesn't matter, and a mention in a string isn't a close.

use verger_event::{TicketSystem, ToolUseId};
use verger_shell::{Command, CommandPattern, Inside, Script, Word};

use super::ticket::{Close, Failing, Stage, TicketName};
use crate::line_exit::decides_the_exit;

/// A command of a ticket system that closes tickets.
struct CloseCommand {
    system: TicketSystem,
    programs: &'static [&'static str],
    verbs: &'static [&'static str],
    means: Means,
}

/// The condition under which such a command closes tickets.
enum Means {
    /// The command always closes tickets. Its arguments are ticket ids. Without an id, the ticket
    /// system closes the last ticket.
    Always,
    /// The command closes the ticket if this word follows the ticket's id.
    Word(&'static str),
    /// The command closes the ticket if one of these options has this value.
    Option { names: &'static [&'static str], value: &'static str },
}

const BEADS: &[&str] = &["bd", "beads"];

const COMMANDS: &[CloseCommand] = &[
    CloseCommand {
        system: TicketSystem::Tissue,
        programs: &["tissue"],
        verbs: &["status"],
        means: Means::Word("closed"),
    },
    CloseCommand {
        system: TicketSystem::Beads,
        programs: BEADS,
        verbs: &["close", "complete", "done"],
        means: Means::Always,
    },
    CloseCommand {
        system: TicketSystem::Beads,
        programs: BEADS,
        verbs: &["update"],
        means: Means::Option { names: &["--status", "-s"], value: "closed" },
    },
];

/// Options of commands that close tickets. The next word is the option's value.
const VALUE_OPTIONS: &[&str] = &[
    "--acceptance",
    "--actor",
    "--assignee",
    "-a",
    "--comment",
    "--db",
    "--design",
    "--description",
    "-d",
    "--directory",
    "-C",
    "--message",
    "-m",
    "--notes",
    "--priority",
    "-p",
    "--reason",
    "-r",
    "--reason-file",
    "--resolution",
    "--session",
    "--status",
    "-s",
    "--store",
    "--title",
];

/// Options with which such a command closes nothing.
const HARMLESS: &[&str] = &["--help", "-h", "--dry-run"];

/// The maximum number of bytes of a ticket id.
const MAX_ID_BYTES: usize = 80;

/// The tickets that a command line closes. `call` is the id of the tool call that runs it.
pub fn closes(script: &Script, systems: &[TicketSystem], call: Option<&ToolUseId>) -> Vec<Close> {
    let mut closes: Vec<Close> = vec![];
    for (at, command) in script.commands.iter().enumerate() {
        // `Inside::Readings` marks a command whose variants with known variables are also in the
        // list.
        let is_open = command.inside == Inside::Readings;
        let known = commands_of(systems).find(|known| !is_open && known.is_run_by(command));
        let Some(known) = known else { continue };
        let tickets = known.tickets(command);
        let failing = match tickets[..] {
            [_] if is_plain(command) && decides_the_exit(script, at) => Failing::MeansOpen,
            _ => Failing::MeansNothing,
        };
        for ticket in tickets {
            if !closes.iter().any(|close| close.ticket == ticket) {
                let (call, stage) = (call.cloned(), Stage::Requested);
                closes.push(Close { ticket, call, failing, stage });
            }
        }
    }
    closes
}

fn commands_of(systems: &[TicketSystem]) -> impl Iterator<Item = &'static CloseCommand> {
    COMMANDS.iter().filter(|command| systems.contains(&command.system))
}

/// Whether all words of the command are literal and it runs no code in another language.
fn is_plain(command: &Command) -> bool {
    command.code.is_none() && command.literal_argv().is_some()
}

impl CloseCommand {
    fn is_run_by(&self, command: &Command) -> bool {
        if command.argv.iter().filter_map(Word::literal).any(|word| HARMLESS.contains(&word)) {
            return false;
        }
        self.verb_of(command).is_some() && self.means.is_met_by(command)
    }

    fn verb_of(&self, command: &Command) -> Option<&'static str> {
        let runs = |verb: &&&str| {
            // A word that isn't literal could be any verb, so it isn't counted here.
            let says = command.code.is_some()
                || command.argv.iter().any(|word| word.literal() == Some(verb));
            let fits = |program: &&str| {
                let pattern = CommandPattern::parse(&format!("{program} {verb} *"));
                pattern.is_ok_and(|pattern| pattern.matches_command(command))
            };
            says && self.programs.iter().any(fits)
        };
        self.verbs.iter().find(runs).copied()
    }

    /// The tickets that the command names. If no id can be read, the result is one ticket without
    /// an id.
    fn tickets(&self, command: &Command) -> Vec<TicketName> {
        let words = positional(command);
        let behind = words.iter().position(|word| self.verbs.contains(&word.text()));
        let named = words.get(behind.map_or(words.len(), |at| at + 1)..).unwrap_or_default();
        let named = match self.means {
            Means::Word(_) => named.get(..1).unwrap_or_default(),
            Means::Always | Means::Option { .. } => named,
        };
        let is_id = |word: &&str| word.len() <= MAX_ID_BYTES && !word.contains(char::is_whitespace);
        let mut tickets: Vec<_> = named
            .iter()
            .map(|word| match word.literal().filter(is_id) {
                Some(id) => TicketName::new(self.system, id),
                None => TicketName::unknown(self.system),
            })
            .collect();
        if tickets.is_empty() {
            tickets.push(TicketName::unknown(self.system));
        }
        tickets
    }
}

impl Means {
    fn is_met_by(&self, command: &Command) -> bool {
        let words: Vec<&str> = command.argv.iter().map(Word::text).collect();
        let said = |value: &str| command.code.as_deref().is_some_and(|code| code.contains(value));
        match self {
            Self::Always => true,
            Self::Word(value) => {
                said(value) || positional(command).get(3).is_some_and(|word| word.text() == *value)
            }
            Self::Option { names, value } => {
                said(value) || names.iter().any(|name| has_option(&words, name, value))
            }
        }
    }
}

/// Whether an option has this value, in one of the forms `--status closed`, `--status=closed`, `-s
/// closed` and `-sclosed`.
fn has_option(words: &[&str], name: &str, value: &str) -> bool {
    let is_short = !name.starts_with("--");
    words.windows(2).any(|pair| pair == [name, value])
        || words.iter().any(|word| {
            let rest = word.strip_prefix(name);
            rest.is_some_and(|rest| match rest.strip_prefix('=') {
                Some(given) => given == value,
                None => is_short && rest == value,
            })
        })
}

/// The words of a command that are neither options nor values of options.
fn positional(command: &Command) -> Vec<&Word> {
    let mut words = vec![];
    let mut is_value = false;
    for word in &command.argv {
        let text = word.text();
        let is_option = word.literal().is_some() && text.starts_with('-') && text.len() > 1;
        if !is_value && !is_option {
            words.push(word);
        }
        is_value = !is_value && VALUE_OPTIONS.contains(&text);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: &[TicketSystem] = &[TicketSystem::Tissue, TicketSystem::Beads];

    /// The tickets that a command line closes. A `!` after a ticket means that a failure of the
    /// command line leaves the ticket open.
    fn closed(line: &str) -> String {
        let closes = closes(&verger_shell::read(line), BOTH, None);
        let shown = |close: &Close| match close.failing {
            Failing::MeansOpen => format!("{}!", close.ticket),
            Failing::MeansNothing => close.ticket.to_string(),
        };
        closes.iter().map(shown).collect::<Vec<_>>().join(", ")
    }

    #[track_caller]
    fn check(line: &str, expected: &str) {
        assert_eq!(closed(line), expected, "{line}");
    }

    #[test]
    fn every_command_that_closes_is_known() {
        check("tissue status t-1 closed", "tissue t-1!");
        check("tissue --store x status t-1 closed --json", "tissue t-1!");
        for program in ["bd", "beads"] {
            for verb in ["close", "complete", "done"] {
                check(&format!("{program} {verb} bd-1"), "beads bd-1!");
                check(&format!("{program} {verb} bd-1 bd-2"), "beads bd-1, beads bd-2");
            }
        }
        for status in ["--status closed", "--status=closed", "-s closed", "-sclosed", "-s=closed"] {
            check(&format!("bd update bd-1 {status}"), "beads bd-1!");
            check(&format!("bd update {status} bd-1 --json"), "beads bd-1!");
        }
        check("bd close bd-1 --reason 'all done' --suggest-next", "beads bd-1!");
        check("bd close -r done bd-1.2", "beads bd-1.2!");
        check("bd close", "a ticket of beads!");
        check("bd close --reason done", "a ticket of beads!");
        check("bd close bd-1 && tissue status t-2 closed", "beads bd-1, tissue t-2!");
    }

    #[test]
    fn the_spelling_does_not_matter() {
        for line in [
            "/usr/local/bin/bd close bd-1",
            "cd x && sudo bd close bd-1",
            "env BD_ACTOR=me bd close bd-1",
            "bash -lc 'bd close bd-1'",
            "timeout 5 bd close bd-1",
            "b\"d\" cl'ose' bd-1",
            "BD close bd-1",
            "bd  --db x   close   bd-1",
            "bd close bd-1 2>&1",
        ] {
            check(line, "beads bd-1!");
        }
        for line in ["bd close bd-1 | cat", "bd close bd-1; git push", "bd close bd-1 || true"] {
            check(line, "beads bd-1");
        }
        check("echo \"$(bd close bd-1)\"", "beads bd-1");
        check("true; bash -c 'bd close bd-1'; false", "beads bd-1");
        check("bash -c 'bd close bd-1; false'", "beads bd-1");
        check("true; bash -c 'true; bd close bd-1'", "beads bd-1!");
        check("for i in a b; do bd close $i; done", "beads a, beads b");
        check("echo bd-1 | xargs bd close", "a ticket of beads");
        check("bd close \"$ID\"", "a ticket of beads");
        check(
            "python3 -c 'import subprocess; subprocess.run([\"bd\", \"close\", \"x\"])'",
            "a ticket of beads",
        );
    }

    #[test]
    fn other_commands_close_nothing() {
        for line in [
            "",
            "ls",
            "echo bd close bd-1",
            "git commit -m 'bd close bd-1'",
            "grep -r 'tissue status x closed' .",
            "bd create 'bd close is broken'",
            "bd comment bd-1 'then bd close bd-1'",
            "bd close --help",
            "bd close bd-1 --dry-run",
            "bd help close",
            "bd list --status closed",
            "bd update bd-1 --status open",
            "bd update bd-1 --notes closed",
            "bd update bd-1 --title 'closed for good'",
            "bd reopen bd-1 --reason 'was closed'",
            "tissue status t-1 open",
            "tissue status t-1 in_progress --note closed",
            "tissue list --status closed",
            "abd close x",
            "bd \"$verb\" bd-1 # close",
            "cat <<'END'\nbd close bd-1\nEND",
        ] {
            check(line, "");
        }
    }

    #[test]
    fn a_system_that_is_switched_off_closes_nothing() {
        let line = "bd close bd-1; tissue status t-1 closed";
        let script = verger_shell::read(line);
        for (systems, expected) in [
            (&[TicketSystem::Beads][..], "beads bd-1"),
            (&[TicketSystem::Tissue], "tissue t-1"),
            (&[TicketSystem::Tasks, TicketSystem::Session], ""),
        ] {
            let closes = closes(&script, systems, None);
            let names: Vec<_> = closes.iter().map(|close| close.ticket.to_string()).collect();
            assert_eq!(names.join(", "), expected);
        }
    }
}
