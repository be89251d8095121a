//! A command of an agent that cannot write verger's data, as in a client's sandbox, and leaves that to
//! the hook, which runs outside of it: what the command prints, and what the hook may run for it.
//!
//! The hook runs the same command with the same words, and so with the same checks. All that is
//! decided here is that nothing else is run: no command that is not the agent's, none that does not
//! stand alone on its line, and none for another session.

use verger_event::{Event, Fate, SessionId, ToolCall, ToolUseId};
use verger_shell::{Alone, Command, Word};

use crate::learning::{self, SkipIs};
use crate::own_command::{DECIDE, OwnCommand, PROGRAM};

/// What such a command prints, and no other.
pub const LEFT_TO_HOOK: &str = "left to verger's hook";

/// The commands that keep something.
pub const KEEPING: &[&str] = &[DECIDE, "observe", "ref", "reflect", "skip"];

/// What a line has to do with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftLine {
    /// Nothing.
    None,
    /// It left this command to the hook.
    Command(LeftCommand),
    /// It left something that the hook does not run.
    Refused(NotRun),
}

/// A command that can be run for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftCommand {
    /// Such as `observe`.
    pub command: String,
    /// What follows the program's name; the session is among it.
    pub arguments: Vec<String>,
    /// What it is fed.
    pub stdin: Option<String>,
}

/// Why nothing is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotRun {
    /// Something else stands on the line, or a word of it is known only when it runs.
    NotPlain,
    /// It names another session.
    OtherSession,
}

impl NotRun {
    /// What the agent is told.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NotPlain => {
                "it does not stand alone. Run it again as one plain command: literal words, fed by \
                 nothing but a quoted here-document, `printf` or `echo`"
            }
            Self::OtherSession => "it is for another session, and only that one's hook can do it",
        }
    }
}

impl LeftLine {
    /// What a line left, run by an agent in this session.
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
            // It keeps nothing, or the command refuses it itself, and said so.
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

/// What another of our commands prints may speak of this one's mark.
fn keeps(command: &Command) -> bool {
    let mut words = command.argv.iter().skip(1).map(Word::text);
    let name = words.find(|word| !word.starts_with('-'));
    command.runs(PROGRAM) && name.is_some_and(|name| KEEPING.contains(&name))
}

/// The words behind the program's name, with this session and no other.
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
            // Said even where the agent did not: a reflection may name a session itself.
            arguments.push(format!("--session={}", session.as_str()));
            is_named = true;
        }
    }
    if is_named { Ok(arguments) } else { Err(NotRun::NotPlain) }
}

impl LeftCommand {
    /// Whether one of these events, which came after the command was asked for, is what it keeps.
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

/// What was kept since a call was asked for, as records are read one after the other.
#[derive(Debug)]
pub struct KeptSince<'a> {
    call: Option<&'a ToolUseId>,
    command: &'a LeftCommand,
    is_asked: bool,
    is_kept: bool,
}

impl<'a> KeptSince<'a> {
    /// Nothing was read yet.
    pub fn new(call: Option<&'a ToolUseId>, command: &'a LeftCommand) -> Self {
        Self { call, command, is_asked: false, is_kept: false }
    }

    /// Reads one more.
    pub fn read(&mut self, event: &Event) {
        match event {
            Event::ToolRequested(ToolCall { id: Some(id), .. }) if Some(id) == self.call => {
                self.is_asked = true;
            }
            event => self.is_kept |= self.is_asked && self.command.is_kept_by(event),
        }
    }

    /// Whether the log has it already.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }
}

#[cfg(test)]
mod tests;
