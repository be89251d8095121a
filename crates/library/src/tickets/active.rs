//! Finds the current ticket with the program of the ticket system.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_event::TicketSystem;
use verger_exec::{Deadline, Output, Program, RunError, find_program};

use super::answer::{Listed, Ticket, listed};

/// The time limit of a query during a hook call. It is short, because the session waits for the
/// call.
pub const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The size limit of a program's answer. Every real list of tickets in progress is shorter. A
/// longer answer is cut off, so it fails as invalid JSON.
const MAX_ANSWER_BYTES: u64 = 1024 * 1024;
const MAX_MESSAGE_BYTES: usize = 200;

/// The parameters of queries to a ticket system's program.
struct Tool {
    /// The possible names of the program, the usual one first.
    programs: &'static [&'static str],
    /// Whether to query open tickets if none is in progress, because some versions know only open
    /// and closed tickets.
    asks_for_open: bool,
    /// Whether to query the description of a ticket separately, because lists may lack it.
    shows: bool,
    /// Environment variables for the program. They keep a query from starting a server or waiting
    /// for input.
    settings: &'static [(&'static str, &'static str)],
}

const TISSUE: Tool =
    Tool { programs: &["tissue"], asks_for_open: true, shows: false, settings: &[] };
const BEADS: Tool = Tool {
    programs: &["bd", "beads"],
    asks_for_open: false,
    shows: true,
    settings: &[
        ("BEADS_NO_DAEMON", "1"),
        ("BEADS_DOLT_AUTO_START", "0"),
        ("BD_NON_INTERACTIVE", "1"),
    ],
};

/// The reason why no ticket is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTicket {
    #[error("no ticket is in progress")]
    NoneInProgress,
    #[error("no ticket is in progress, and {count} are open")]
    SeveralOpen { count: usize },
    #[error("{program} is not in PATH")]
    NoProgram { program: &'static str },
    #[error("{program} could not be run: {message}")]
    NotRun { program: &'static str, message: String },
    #[error("{program} did not answer in time")]
    TimedOut { program: &'static str },
    #[error("{program} ended with {code}: {message}")]
    Failed { program: &'static str, code: i32, message: String },
    #[error("{program} was killed")]
    Killed { program: &'static str },
    #[error("{program} answered with more than {} bytes", MAX_ANSWER_BYTES)]
    TooMuch { program: &'static str },
    #[error("{program} answered with something other than tickets")]
    Unreadable { program: &'static str },
    #[error("{system} has no program to ask: verger sees its tickets only when agents use them")]
    NoTool { system: TicketSystem },
}

/// Asks the ticket system's program for the current ticket. Runs it in `cwd`, and searches it in
/// the `PATH` of `environment`.
pub fn active_ticket(
    system: TicketSystem,
    cwd: &Path,
    environment: &[(OsString, OsString)],
    time_limit: Duration,
) -> Result<Ticket, NoTicket> {
    let tool = match system {
        TicketSystem::Tissue => &TISSUE,
        TicketSystem::Beads => &BEADS,
        TicketSystem::Tasks | TicketSystem::Session => return Err(NoTicket::NoTool { system }),
    };
    let deadline = Deadline::after(time_limit);
    let question = Question::new(tool, cwd, environment, deadline)?;
    let ticket = match question.list("in_progress").map(Listed::latest) {
        Ok(Some(ticket)) => ticket,
        other if tool.asks_for_open => {
            let open = question.list("open").map_err(|error| other.err().unwrap_or(error))?;
            open.only().map_err(|count| match count {
                0 => NoTicket::NoneInProgress,
                count => NoTicket::SeveralOpen { count },
            })?
        }
        Ok(None) => return Err(NoTicket::NoneInProgress),
        Err(error) => return Err(error),
    };
    if tool.shows && ticket.description.is_empty() {
        // If the query for the description fails, the ticket is used without it.
        return Ok(question.show(&ticket.id).unwrap_or(ticket));
    }
    Ok(ticket)
}

struct Question<'a> {
    tool: &'a Tool,
    name: &'static str,
    program: PathBuf,
    cwd: &'a Path,
    environment: &'a [(OsString, OsString)],
    deadline: Deadline<'static>,
}

impl<'a> Question<'a> {
    fn new(
        tool: &'a Tool,
        cwd: &'a Path,
        environment: &'a [(OsString, OsString)],
        deadline: Deadline<'static>,
    ) -> Result<Self, NoTicket> {
        let path = environment.iter().find(|(name, _)| name == "PATH");
        let path = path.map_or(OsStr::new(""), |(_, path)| path);
        let found = tool.programs.iter().find_map(|name| Some((*name, find_program(path, name)?)));
        let (name, program) = found.ok_or(NoTicket::NoProgram { program: tool.programs[0] })?;
        Ok(Self { tool, name, program, cwd, environment, deadline })
    }

    fn list(&self, status: &str) -> Result<Listed, NoTicket> {
        self.ask(&["list", "--status", status, "--json"])
    }

    fn show(&self, id: &str) -> Option<Ticket> {
        if id.starts_with('-') {
            return None;
        }
        self.ask(&["show", id, "--json"]).ok()?.only().ok()
    }

    fn ask(&self, arguments: &[&str]) -> Result<Listed, NoTicket> {
        let program = self.name;
        let pairs = self.environment.iter().map(|(name, value)| (name, value));
        let run = Program::new(&self.program, pairs)
            .envs(self.tool.settings.iter().copied())
            .args(arguments)
            .current_dir(self.cwd)
            .whole_output(MAX_ANSWER_BYTES)
            .run(self.deadline);
        let output = run.map_err(|error| not_run(program, &error))?;
        if !output.status.success() {
            return Err(failed(program, &output));
        }
        listed(&output.stdout).ok_or(NoTicket::Unreadable { program })
    }
}

fn not_run(program: &'static str, error: &RunError) -> NoTicket {
    match error {
        RunError::TimedOut | RunError::Stopped => NoTicket::TimedOut { program },
        RunError::TooMuchOutput { .. } => NoTicket::TooMuch { program },
        RunError::Start(source) if source.kind() == ErrorKind::NotFound => {
            NoTicket::NoProgram { program }
        }
        RunError::Start(source) | RunError::Read(source) => {
            NoTicket::NotRun { program, message: source.to_string() }
        }
    }
}

fn failed(program: &'static str, output: &Output) -> NoTicket {
    let Some(code) = output.status.code() else { return NoTicket::Killed { program } };
    // Some versions write errors to stderr, others to stdout.
    let said = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes));
    let first_line = said.iter().flat_map(|text| text.lines()).find(|line| !line.trim().is_empty());
    let line = first_line.unwrap_or("it printed no message").trim();
    let message = line[..line.floor_char_boundary(MAX_MESSAGE_BYTES)].to_owned();
    NoTicket::Failed { program, code, message }
}
