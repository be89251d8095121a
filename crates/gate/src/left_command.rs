//! Finds verger commands that can't write verger's data because the agent's sandbox forbids it. The
//! hook runs outside of the sandbox and runs these commands instead.
//!
//! The hook runs such a command with the same words, so the same checks apply. This module ensures
//! that the hook runs nothing else: the command must be for agents, alone on its command line, and
//! for this session.

use verger_event::{Event, Fate, SessionId, ToolCall};
use verger_shell::{Alone, Command, Word};

use crate::learning::{self, SkipIs};
use crate::own_command::{DECIDE, OwnCommand, PROGRAM};

/// The text that a verger command prints when it can't write verger's data, so that the hook must
/// run it.
pub const LEFT_TO_HOOK: &str = "left to verger's hook";

/// The verger commands that write to verger's data.
pub const KEEPING: &[&str] = &[DECIDE, "observe", "ref", "reflect", "skip"];

/// The result of searching a command line for a command that the hook must run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftLine {
    /// The command line has no such command.
    None,
    /// The command line has such a command, and the hook may run it.
    Command(LeftCommand),
    /// The command line has such a command, but the hook doesn't run it.
    Refused(NotRun),
}

/// A verger command that the hook can run for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftCommand {
    /// The name of the command, such as `observe`.
    pub command: String,
    /// The words after the program's name, including the option `--session`.
    pub arguments: Vec<String>,
    /// The standard input of the command, if it has one.
    pub stdin: Option<String>,
}

/// The reason why the hook doesn't run a verger command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotRun {
    /// The command line has another command, or a word whose value is known only when it runs.
    NotPlain,
    /// The command names another session.
    OtherSession,
}

impl NotRun {
    /// The reason in words, as a message to the agent.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NotPlain => {
                "it is not one plain command. Run it again alone on the line: literal words, with \
                 input only from a quoted here-document, `printf` or `echo`"
            }
            Self::OtherSession => {
                "it names another session, and only that session's hook can \
                                   record it"
            }
        }
    }
}

impl LeftLine {
    /// Searches for a command of [`KEEPING`] on a command line that an agent of this session ran.
    pub fn read(line: &str, session: &SessionId, skip: SkipIs) -> Self {
        let script = verger_shell::read(line);
        if !script.commands.iter().any(keeps) {
            return Self::None;
        }
        let command = match OwnCommand::of(&script, skip) {
            OwnCommand::Agents { command } => command,
            OwnCommand::Decide(Ok(_)) => DECIDE.to_owned(),
            OwnCommand::Decide(Err(_)) | OwnCommand::None => {
                return Self::Refused(NotRun::NotPlain);
            }
            // Such a command writes nothing, or it refused to run and printed the reason itself.
            OwnCommand::AgentsTrusted { .. } | OwnCommand::NotAgents { .. } => return Self::None,
        };
        let Some(alone) = script.alone() else { return Self::Refused(NotRun::NotPlain) };
        match arguments(&alone, &command, session) {
            Ok(arguments) => {
                Self::Command(LeftCommand { command, arguments, stdin: alone.stdin.clone() })
            }
            Err(why) => Self::Refused(why),
        }
    }
}

/// Whether a command is one of [`KEEPING`]. Other verger commands may print [`LEFT_TO_HOOK`] as
/// part of their output.
fn keeps(command: &Command) -> bool {
    let mut words = command.argv.iter().skip(1).map(Word::text);
    let name = words.find(|word| !word.starts_with('-'));
    command.runs(PROGRAM) && name.is_some_and(|name| KEEPING.contains(&name))
}

/// The words after the program's name, with `--session` for this session.
fn arguments(alone: &Alone<'_>, command: &str, session: &SessionId) -> Result<Vec<String>, NotRun> {
    let mut arguments = vec![];
    let mut words = alone.argv.iter().skip(1).copied();
    let mut is_named = false;
    while let Some(word) = words.next() {
        let named = match word.strip_prefix("--session") {
            Some("") => words.next(),
            Some(joined) => joined.strip_prefix('='),
            None => None,
        };
        match named {
            Some(named) if named.is_empty() || !session.as_str().starts_with(named) => {
                return Err(NotRun::OtherSession);
            }
            Some(_) => {}
            None => arguments.push(word.to_owned()),
        }
        if word == "--" {
            arguments.extend(words.by_ref().map(str::to_owned));
        }
        if word == command && !is_named {
            // The words of a reflection may name the session. If they don't, the session is added.
            arguments.push(format!("--session={}", session.as_str()));
            is_named = true;
        }
    }
    if is_named { Ok(arguments) } else { Err(NotRun::NotPlain) }
}

impl LeftCommand {
    /// Whether `event` is the event that the command writes. The caller must pass only events from
    /// after the tool call with the command.
    pub fn is_kept_by(&self, event: &Event) -> bool {
        let says = |text: &str| {
            let stdin = self.stdin.iter().map(String::as_str);
            let mut given = self.arguments.iter().map(String::as_str).chain(stdin);
            given.any(|given| given.contains(text))
        };
        match (self.command.as_str(), event) {
            ("observe", Event::ObservationRecorded { text, .. }) => says(text),
            ("ref", Event::LearningSeen { learning, fate: Fate::Referenced, .. }) => says(learning),
            ("reflect", Event::ReflectionRecorded { kept, rejections, .. }) => {
                let mut summaries =
                    kept.iter().chain(rejections).filter_map(|one| one["summary"].as_str());
                summaries.any(says)
            }
            ("skip", Event::GateReleased { gate, .. }) => gate == learning::GATE,
            (DECIDE, Event::ReviewDecided { summary, .. }) => says(summary),
            _ => false,
        }
    }
}

/// Searches the session's events, one by one, for the event that a command wrote. Only events after
/// the command's tool call count.
#[derive(Debug)]
pub struct KeptSince<'a> {
    call: &'a ToolCall,
    command: &'a LeftCommand,
    is_asked: bool,
    is_kept: bool,
}

impl<'a> KeptSince<'a> {
    /// A search that has read no event yet.
    pub fn new(call: &'a ToolCall, command: &'a LeftCommand) -> Self {
        Self { call, command, is_asked: false, is_kept: false }
    }

    /// Reads the next event of the session.
    pub fn read(&mut self, event: &Event) {
        match event {
            // Of equal calls without an id, the last one counts.
            Event::ToolRequested(call) if is_same(call, self.call) => {
                self.is_asked = true;
                self.is_kept = false;
            }
            event => self.is_kept |= self.is_asked && self.command.is_kept_by(event),
        }
    }

    /// Whether the events so far include the one that the command wrote.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }
}

/// Whether both are the same call. Some clients give no ids to calls.
fn is_same(call: &ToolCall, other: &ToolCall) -> bool {
    match (&call.id, &other.id) {
        (Some(id), Some(other)) => id == other,
        (None, None) => call.shell_line() == other.shell_line(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
