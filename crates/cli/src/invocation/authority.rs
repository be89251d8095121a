//! Checks who may run a command, before the command runs. The hook uses the same table.
//!
//! Only people may open a gate or change verger's own files and settings. The check only sees calls
//! in which the agent can be recognised, because agents run as the same user (SECURITY.md).

use clap::ArgMatches;
use verger_gate::authority::{AUTHORITY, Audience, Authority, audience_of};

use crate::invocation::ancestry::{AgentProcess, agent_above};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::controlling_terminal;

/// The parts of a command line that determine who may run it.
pub(crate) struct Invocation {
    command: String,
    flags: Vec<String>,
}

impl Invocation {
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        let (mut words, mut level) = (vec![], matches);
        while let Some((word, below)) = level.subcommand() {
            words.push(word);
            level = below;
        }
        let given =
            |name: &&str| level.value_source(name) == Some(clap::parser::ValueSource::CommandLine);
        let flags = level.ids().map(clap::Id::as_str).filter(given).flat_map(|name| {
            match level.try_get_one::<bool>(name) {
                Ok(Some(true)) => vec![name.to_owned()],
                Ok(_) => vec![],
                Err(_) => with_values(level, name),
            }
        });
        Self { command: words.join(" "), flags: flags.collect() }
    }

    /// The command's name, such as `config set`.
    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }

    /// The command and its relevant options, as they were typed.
    fn typed(&self) -> String {
        let is_told = |flag: &&String| {
            !matches!(flag.as_str(), "json" | "quiet" | "yes") && !flag.contains('=')
        };
        let flags = self.flags.iter().filter(is_told);
        let flags = flags.map(|flag| format!(" --{}", flag.replace('_', "-")));
        format!("{}{}", self.command, flags.collect::<String>())
    }

    fn audience(&self, table: &[Authority]) -> Audience {
        audience_of(table, &self.command, |flag| self.has(flag))
    }
}

/// An option with its values, in the form of the table: `gate=learning`.
fn with_values(level: &ArgMatches, name: &str) -> Vec<String> {
    let Ok(Some(values)) = level.try_get_raw(name) else { return vec![] };
    values.map(|value| format!("{name}={}", value.to_string_lossy())).collect()
}

/// The facts about the process that runs the command.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Caller {
    agent: Option<AgentProcess>,
    terminal: Terminal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Terminal {
    Controlling,
    None,
}

/// Refuses a command that the caller may not run.
pub(crate) fn check(invocation: &Invocation, context: &Context) -> Result<(), CommandError> {
    let audience = invocation.audience(AUTHORITY);
    if !matches!(audience, Audience::Release | Audience::Ground) {
        return Ok(());
    }
    judge(audience, invocation, &Caller::of(context))
}

/// Refuses a command that only a person may run. For commands that the table allows, but not in
/// every situation.
pub(crate) fn check_release(command: &str, context: &Context) -> Result<(), CommandError> {
    let invocation = Invocation { command: command.to_owned(), flags: vec![] };
    judge(Audience::Release, &invocation, &Caller::of(context))
}

impl Caller {
    fn of(context: &Context) -> Self {
        Self {
            agent: agent_above(&context.environment),
            terminal: controlling_terminal().map_or(Terminal::None, |_| Terminal::Controlling),
        }
    }
}

fn judge(audience: Audience, invocation: &Invocation, caller: &Caller) -> Result<(), CommandError> {
    let command = invocation.typed();
    match (audience, &caller.agent, caller.terminal) {
        (Audience::Agent | Audience::AgentTrusted | Audience::Anyone | Audience::Client, _, _)
        | (_, None, Terminal::Controlling) => Ok(()),
        (_, Some(AgentProcess { agent, pid }), _) => Err(CommandError::Refused {
            message: format!(
                "only a person may run `verger {command}`, and {agent} (process {pid}) started it"
            ),
            hint: "ask the person to run it in a terminal of their own".to_owned(),
        }),
        (Audience::Release, None, Terminal::None) => Err(CommandError::Refused {
            message: format!("only a person at a terminal may run `verger {command}`"),
            hint: "run it in a terminal".to_owned(),
        }),
        (Audience::Ground, None, Terminal::None) if invocation.has("yes") => Ok(()),
        (Audience::Ground, None, Terminal::None) => Err(CommandError::Refused {
            message: format!("`verger {command}` needs a terminal"),
            hint: format!("add --yes to `verger {command}` in a script"),
        }),
    }
}

/// For a command of the audience `Ground`.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Consent {
    /// Do it without a terminal and without asking, for scripts that a person runs.
    #[arg(long)]
    pub(crate) yes: bool,
}

#[cfg(test)]
mod tests {
    use verger_gate::authority::of;

    use super::*;

    const TABLE: &[Authority] = &[
        Authority { command: "doctor", flag: Some("fix"), audience: Audience::Ground },
        of("doctor", Audience::Anyone),
        of("skip", Audience::Release),
    ];

    fn invocation(command: &str, flags: &[&str]) -> Invocation {
        let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        Invocation { command: command.to_owned(), flags }
    }

    #[test]
    fn the_table_holds_every_command_and_nothing_else() {
        let flags = |command: &clap::Command| -> Vec<String> {
            command.get_arguments().map(|argument| argument.get_id().to_string()).collect()
        };
        let leaves: Vec<_> =
            crate::leaves().iter().map(|(path, leaf)| (path.clone(), flags(leaf))).collect();
        for (command, flags) in &leaves {
            let lines = || AUTHORITY.iter().filter(|line| line.command == command);
            assert!(lines().any(|line| line.flag.is_none()), "{command} is not in the table");
            let takes_yes = flags.iter().any(|flag| flag == "yes");
            let is_ground = lines().any(|line| line.audience == Audience::Ground);
            assert_eq!(takes_yes, is_ground, "{command}: --yes is for what changes our ground");
        }
        for line in AUTHORITY {
            let leaf = leaves.iter().find(|(command, _)| command == line.command);
            let (_, flags) = leaf.unwrap_or_else(|| panic!("{line:?} is no command"));
            let name = |flag: &str| flag.split('=').next().map(str::to_owned);
            let known = |flag: &str| flags.iter().any(|known| Some(known) == name(flag).as_ref());
            assert!(line.flag.is_none_or(known), "{line:?} is no flag");
        }
    }

    #[test]
    fn a_flag_can_make_the_difference_and_what_is_not_listed_is_a_persons() {
        let audience = |command, flags| invocation(command, flags).audience(TABLE);
        assert_eq!(audience("doctor", &[]), Audience::Anyone);
        assert_eq!(audience("doctor", &["fix"]), Audience::Ground);
        assert_eq!(audience("doctor fix", &[]), Audience::Ground);
        assert_eq!(audience("skip", &["fix"]), Audience::Release);
    }

    #[test]
    fn agents_are_refused_what_is_a_persons_whatever_they_say() {
        let agent = Some(AgentProcess { agent: "Claude Code", pid: 7 });
        let (person, nobody) = (Terminal::Controlling, Terminal::None);
        let judged = |audience, flags, agent: &Option<AgentProcess>, terminal| {
            let caller = Caller { agent: agent.clone(), terminal };
            judge(audience, &invocation("x", flags), &caller).is_ok()
        };
        for terminal in [person, nobody] {
            let open =
                [Audience::Agent, Audience::AgentTrusted, Audience::Anyone, Audience::Client];
            for audience in open {
                assert!(judged(audience, &[], &agent, terminal));
            }
            for audience in [Audience::Release, Audience::Ground] {
                assert!(!judged(audience, &["yes"], &agent, terminal));
            }
        }
        assert!(judged(Audience::Release, &[], &None, person));
        assert!(!judged(Audience::Release, &["yes"], &None, nobody));
        assert!(judged(Audience::Ground, &[], &None, person));
        assert!(!judged(Audience::Ground, &[], &None, nobody));
        assert!(judged(Audience::Ground, &["yes"], &None, nobody));
    }
}
