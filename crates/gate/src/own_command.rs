//! Finds verger's own commands on a command line, and decides who may run them.
//!
//! An agent may always run verger's commands for agents if they are plain and alone on the command
//! line, so that it can satisfy every gate. It may not run verger's commands for people, in any
//! spelling that can be detected.

use verger_shell::{Command, Script, Why, Word};

use crate::authority::{AUTHORITY, Audience, SKIP_LEARNING, audience_of};
use crate::learning::SkipIs;
use crate::review::{DecideLine, Refusal};
use crate::template::fill;

/// The name of verger's command-line program.
pub(crate) const PROGRAM: &str = "verger";
const HOOK_PROGRAM: &str = "verger-hook";

/// The command that records a reviewer's decision.
pub(crate) const DECIDE: &str = "decide";

/// The result of searching a command line for verger's commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnCommand {
    /// The command line runs no command of verger, or one without a special rule. Such a command
    /// changes nothing, or is a command for agents that isn't alone and plain.
    None,
    /// The command line runs a command for agents, alone and plain.
    Agents {
        /// The name of the command, such as `status`.
        command: String,
    },
    /// The command line runs a command for agents that runs the project's own code. Agents may run
    /// it only where the user trusts the worktree.
    AgentsTrusted {
        /// The name of the command.
        command: String,
        /// The sessions that the command names.
        sessions: Vec<String>,
    },
    /// The command line runs, or may run, a command that agents may not run.
    NotAgents {
        /// The command in its usual spelling. If its words are unknown, only the program's name.
        command: String,
        /// The people or programs that may run the command.
        audience: Audience,
    },
    /// The command line runs the command that records a reviewer's decision.
    Decide(Result<DecideLine, Refusal>),
}

/// The message to an agent that may not run this command.
pub fn deny_own_command(command: &str, audience: Audience) -> String {
    let whose = match audience {
        Audience::Client => "only the agent's program itself starts it",
        Audience::Release => "it lets work pass a gate, which only a person may do",
        Audience::Ground | Audience::Agent | Audience::AgentTrusted | Audience::Anyone => {
            "it changes verger's settings or data, which only a person may do"
        }
    };
    let template = include_str!("../templates/authority/deny.md");
    fill(template, &[("command", command), ("whose", whose)])
}

impl OwnCommand {
    /// Finds verger's command on a command line. `skip` is whether agents may skip a reflection.
    pub fn of(script: &Script, skip: SkipIs) -> Self {
        let mut decides = false;
        for command in &script.commands {
            match seen(command, skip) {
                Seen::Nothing => {}
                Seen::HookProgram => {
                    let (command, audience) = (HOOK_PROGRAM.to_owned(), Audience::Client);
                    return Self::NotAgents { command, audience };
                }
                Seen::Known { command, audience } if !is_agents(audience) => {
                    let command = format!("{PROGRAM} {command}");
                    return Self::NotAgents { command, audience };
                }
                Seen::Known { command, .. } => decides |= command == DECIDE,
                Seen::Hidden => {
                    let (command, audience) = (PROGRAM.to_owned(), Audience::Ground);
                    return Self::NotAgents { command, audience };
                }
            }
        }
        if let Some((command, audience)) = mentioned(script) {
            return Self::NotAgents { command, audience };
        }
        let alone = script.alone();
        let plain = alone.as_ref().filter(|alone| alone.argv.first() == Some(&PROGRAM));
        match (plain, decides) {
            (Some(alone), true) => match words_after(&alone.argv, DECIDE) {
                Some(words) => Self::Decide(DecideLine::read(&words, alone.stdin.as_deref())),
                None => Self::Decide(Err(Refusal::NotPlain)),
            },
            (None, true) => Self::Decide(Err(Refusal::NotPlain)),
            (Some(alone), false) => match known(&alone.argv[1..], skip) {
                Some((command, Audience::Agent)) => Self::Agents { command },
                Some((command, Audience::AgentTrusted)) => {
                    let sessions = values(&alone.argv[1..], "session");
                    let sessions = sessions.map(str::to_owned).collect();
                    Self::AgentsTrusted { command, sessions }
                }
                _ => Self::None,
            },
            (None, false) => Self::None,
        }
    }
}

fn is_agents(audience: Audience) -> bool {
    matches!(audience, Audience::Agent | Audience::AgentTrusted | Audience::Anyone)
}

/// The relation of a command on the command line to verger's programs.
enum Seen {
    Nothing,
    HookProgram,
    Known {
        command: String,
        audience: Audience,
    },
    /// A verger command whose words are known only when the command line runs.
    Hidden,
}

fn seen(command: &Command, skip: SkipIs) -> Seen {
    if command.runs(HOOK_PROGRAM) {
        return Seen::HookProgram;
    }
    if !command.runs(PROGRAM) {
        return Seen::Nothing;
    }
    let literal: Option<Vec<&str>> = command.argv[1..].iter().map(Word::literal).collect();
    let all: Vec<&str> = command.argv[1..].iter().map(Word::text).collect();
    match (known(&all, skip), literal) {
        (Some((command, audience)), _) => Seen::Known { command, audience },
        // The words name no known command, so verger itself will report the error.
        (None, Some(_)) => Seen::Nothing,
        (None, None) => Seen::Hidden,
    }
}

/// The verger command that these words name, and its audience. Options may come before and between
/// the words of the name. The value of an unknown option may be taken for such a word.
fn known(words: &[&str], skip: SkipIs) -> Option<(String, Audience)> {
    let has_flag = |flag: &str| match flag.split_once('=') {
        Some(_) if flag == SKIP_LEARNING && skip == SkipIs::Persons => false,
        Some((name, value)) => has_value(words, name, value),
        None => words
            .iter()
            .any(|word| word.strip_prefix("--").is_some_and(|w| w.replace('-', "_") == flag)),
    };
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    (0..plain.len().min(4)).find_map(|at| {
        (1..=2).rev().find_map(|length| {
            let name = plain.get(at..at + length)?.join(" ");
            let is_command = AUTHORITY.iter().any(|line| line.command == name);
            is_command.then(|| (name.clone(), audience_of(AUTHORITY, &name, has_flag)))
        })
    })
}

/// Whether the option `name` is given, and every given value is `value`.
fn has_value(words: &[&str], name: &str, value: &str) -> bool {
    let mut given = values(words, name).peekable();
    given.peek().is_some() && given.all(|given| given == value)
}

/// All values that are given for the option `name`.
fn values<'a>(words: &[&'a str], name: &str) -> impl Iterator<Item = &'a str> {
    let after = |at: usize| words.get(at + 1).copied().unwrap_or_default();
    words.iter().enumerate().filter_map(move |(at, word)| {
        let rest = word.strip_prefix("--")?.strip_prefix(name)?;
        if rest.is_empty() { Some(after(at)) } else { rest.strip_prefix('=') }
    })
}

/// The words before and after the word `command`, without the program's name.
fn words_after<'a>(argv: &[&'a str], command: &str) -> Option<Vec<&'a str>> {
    let at = argv.iter().position(|word| *word == command)?;
    let before = argv[1..at].iter();
    Some(before.chain(&argv[at + 1..]).copied().collect())
}

/// A verger command that agents may not run, if code in another language or an unparsed part of the
/// command line mentions it.
fn mentioned(script: &Script) -> Option<(String, Audience)> {
    let hidden = |word: &str| {
        script.mentions(word)
            || script.commands.iter().filter_map(|command| command.code.as_deref()).any(|code| {
                code.split(|c: char| !c.is_alphanumeric() && c != '-').any(|found| found == word)
            })
    };
    // A part that the parser skipped because of its limits may contain any command.
    if script.unread.iter().any(|unread| unread.why == Why::NoRoom) {
        return Some((PROGRAM.to_owned(), Audience::Ground));
    }
    if hidden(HOOK_PROGRAM) {
        return Some((HOOK_PROGRAM.to_owned(), Audience::Client));
    }
    if !hidden(PROGRAM) {
        return None;
    }
    AUTHORITY
        .iter()
        .filter(|line| !is_agents(line.audience))
        .find(|line| line.command.split(' ').all(hidden))
        .map(|line| (format!("{PROGRAM} {}", line.command), line.audience))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let found = match OwnCommand::of(&verger_shell::read(line), SkipIs::Agents) {
            OwnCommand::None => "-".to_owned(),
            OwnCommand::Agents { command } => format!("agent {command}"),
            OwnCommand::AgentsTrusted { command, sessions } => {
                format!("agent {command} where trusted {sessions:?}")
            }
            OwnCommand::NotAgents { command, .. } => format!("person {command}"),
            OwnCommand::Decide(Ok(line)) => format!("decide {}", line.decision.outcome),
            OwnCommand::Decide(Err(refusal)) => format!("refused {refusal:?}"),
        };
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn an_agents_own_commands_are_known_when_they_stand_alone() {
        check("verger status", "agent status");
        check("verger --json status", "agent status");
        check("verger why 1111:5", "agent why");
        check("verger learn search 'verger init clean' --session s", "agent learn search");
        check("verger recall clean up", "agent recall");
        check("verger status 2>&1", "agent status");
        check("verger decide complete fine --token t 2>&1", "decide complete");
        check("verger status 2>&1 | head", "-");
        check("verger status | head", "-");
        check("cd x && verger status", "-");
        check("verger why $X", "-");
        check("/tmp/verger status", "-");
        check("PATH=/tmp verger status", "-");
        check("verger status > x", "-");
        check("verger frobnicate", "-");
        check("verger session trace", "-");
        check("verger log show 1111 --jsonl", "-");
        check("verger learn list", "-");
        check("verger learn archive --unused --dry-run", "-");
        check("verger doctor agents", "-");
        check("verger guard rules --check", "-");
        check("echo verger init", "-");
        check("git commit -m 'verger init --yes'", "-");
        check("ls", "-");
    }

    #[test]
    fn a_command_that_runs_the_projects_code_is_told_apart() {
        check("verger verify", "agent verify where trusted []");
        check("verger verify --session s --depth deep", r#"agent verify where trusted ["s"]"#);
        check("verger verify --session=s --session t", r#"agent verify where trusted ["s", "t"]"#);
        check("verger verify --session", r#"agent verify where trusted [""]"#);
        check("verger verify --plan --depth deep", "agent verify");
        check("verger verify --session=--plan", r#"agent verify where trusted ["--plan"]"#);
        check("verger verify; ls", "-");
        check("sudo verger verify", "-");
        check("verger verify --session $S", "-");
    }

    #[test]
    fn a_persons_commands_are_known_in_every_spelling_that_can_be_seen() {
        for line in [
            "verger init --yes",
            "/usr/local/bin/verger init",
            "sudo verger init",
            "env -i verger --quiet init",
            "bash -lc 'verger init'",
            "true; verger init &",
            "echo y | verger init",
            "\"$(verger init)\"",
            "script -qc 'verger init' /dev/null",
            "python3 -c 'import os; os.system(\"verger init\")'",
            "expect -c 'spawn verger init'",
            "xargs verger init < /dev/null",
            "VERGER init",
            "verger.exe init",
            "$x verger init",
        ] {
            check(line, "person verger init");
        }
        check("verger config set a b", "person verger config set");
        check("verger log clean", "person verger log clean");
        check("verger log clean --dry-run", "-");
        check("verger log --json clean", "person verger log clean");
        check("verger release review", "person verger release");
        check("verger --json release verify --session s", "person verger release");
        check("verger release learning", "person verger release");
        check("verger learn archive learn-a", "person verger learn archive");
        check("verger learn --quiet archive --unused --yes", "person verger learn archive");
        check("verger learn restore learn-a", "person verger learn restore");
        check(
            "python3 -c 'run([\"verger\", \"learn\", \"archive\"])'",
            "person verger learn archive",
        );
        check("verger doctor --fix", "person verger doctor");
        check("verger $x", "person verger");
        check("verger-hook claude SubagentStart plugin < x", "person verger-hook");
        check("verger hook claude Stop", "person verger hook");
    }

    #[test]
    fn a_part_above_the_parsers_limit_is_not_for_agents() {
        let filler = format!("xargs -I% a {}<<< '{}'\n", "b ".repeat(8191), "1\n".repeat(16));
        check(&format!("{filler}sudo $'\\x76erger' trust"), "person verger trust");
        let long = "a".repeat(80);
        check(&format!("{filler}sudo env A={long} $'\\x76erger' trust"), "person verger");
    }

    #[test]
    fn skipping_a_reflection_is_the_agents_unless_the_user_keeps_it() {
        let found = |line: &str, skip| OwnCommand::of(&verger_shell::read(line), skip);
        let command = "skip".to_owned();
        for line in [
            "verger skip --gate learning --session s --reason 'nothing new'",
            "verger skip --session=s --gate=learning",
            "verger --quiet skip --gate learning",
        ] {
            let allowed = OwnCommand::Agents { command: command.clone() };
            assert_eq!(found(line, SkipIs::Agents), allowed, "{line}");
        }
        assert_eq!(found("verger skip --gate learning; ls", SkipIs::Agents), OwnCommand::None);
        let command = "verger skip".to_owned();
        let denied = OwnCommand::NotAgents { command, audience: Audience::Release };
        for (line, skip) in [
            ("verger skip --gate learning", SkipIs::Persons),
            ("true && verger skip --gate=learning", SkipIs::Persons),
            ("verger skip --gate review", SkipIs::Agents),
            ("verger skip --gate learning --gate review", SkipIs::Agents),
            ("verger skip --gate=learning --gate=review", SkipIs::Agents),
            ("verger skip --gate \"$G\"", SkipIs::Agents),
            ("verger skip --gate", SkipIs::Agents),
            ("verger skip --gateway learning", SkipIs::Agents),
            ("verger skip", SkipIs::Agents),
        ] {
            assert_eq!(found(line, skip), denied, "{line}");
        }
    }

    #[test]
    fn whose_a_command_is_is_known_also_in_code_of_another_language() {
        for (line, expected) in [
            ("verger release review", Audience::Release),
            ("python3 -c 'run([\"verger\", \"release\"])'", Audience::Release),
            ("python3 -c 'run([\"verger\", \"skip\"])'", Audience::Release),
            ("python3 -c 'run([\"verger\", \"init\"])'", Audience::Ground),
            ("python3 -c 'run([\"verger-hook\"])'", Audience::Client),
        ] {
            let found = OwnCommand::of(&verger_shell::read(line), SkipIs::Agents);
            let OwnCommand::NotAgents { audience, .. } = found else { panic!("{line}: {found:?}") };
            assert_eq!(audience, expected, "{line}");
        }
    }
}
