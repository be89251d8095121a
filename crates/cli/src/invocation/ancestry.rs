//! Detects whether an agent, or a check or review that verger runs, is among the ancestors of this
//! process. A run of verger executes the project's code or an agent, so it counts as an agent and
//! not as a person.
//!
//! Without `/proc`, only this process's own environment is known.

use std::ffi::OsStr;
use std::fs;
use std::iter;
use std::os::unix::ffi::OsStrExt;

use verger_agent::{Process, agent_of, client_of, telling_variables};
use verger_engine::Environment;
use verger_exec::detached::{JOB_VARIABLE, depth};

use crate::invocation::command_error::CommandError;
use crate::invocation::supervision;
use crate::verify::runner;

/// The maximum number of ancestors. A process table that changes while it is read may seem to have
/// a loop.
const MAX_ANCESTORS: usize = 256;

/// The name of this program's file.
const OWN_PROGRAM: &str = "verger";
/// The name that a run of verger has in place of an agent's name.
const OWN_RUN: &str = "a check or a review of verger";

/// A process of an agent, or of a run of verger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentProcess {
    pub(crate) agent: &'static str,
    pub(crate) pid: u32,
}

/// The reader of a command's output. Only people are shown how to open a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Person,
    Agent,
}

impl Reader {
    /// The reader of this process's output.
    pub(crate) fn of_process(environment: &Environment) -> Self {
        match agent_above(environment) {
            Some(_) => Self::Agent,
            None => Self::Person,
        }
    }
}

/// The nearest agent among this process and its ancestors. This process counts, because its
/// environment still has an agent's variables after the agent's processes have ended. Without an
/// agent, the run of verger that started this process.
pub(crate) fn agent_above(environment: &Environment) -> Option<AgentProcess> {
    let own = Process {
        variables: telling_variables()
            .filter_map(|name| Some((name.to_owned(), environment.text(name)?)))
            .collect(),
        ..Process::default()
    };
    if let Some(agent) = agent_of(&own) {
        return Some(AgentProcess { agent, pid: std::process::id() });
    }
    let of_agent = |(pid, ancestor): (u32, Ancestor)| {
        agent_of(&ancestor.process).map(|agent| AgentProcess { agent, pid })
    };
    ancestors(environment).find_map(of_agent).or_else(|| own_run_above(environment))
}

/// The run of verger that started this process. It is found by its environment variables or, if
/// they were cleared, by its processes.
pub(crate) fn own_run_above(environment: &Environment) -> Option<AgentProcess> {
    let of_run = |pid| AgentProcess { agent: OWN_RUN, pid };
    if depth(environment.all()) > 0 {
        return Some(of_run(std::process::id()));
    }
    let (pid, _) = ancestors(environment).find(|(_, ancestor)| ancestor.is_of_own_run)?;
    Some(of_run(pid))
}

/// The environment variables of the outermost agent's program among the ancestors. Processes below
/// that program can't have changed them.
pub(crate) fn variables_of_agent(environment: &Environment) -> Option<Environment> {
    let is_client = |(_, ancestor): &(u32, Ancestor)| client_of(&ancestor.process).is_some();
    let (pid, _) = ancestors(environment).filter(is_client).last()?;
    let variables = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let pairs = variables.split(|&byte| byte == 0).filter_map(|variable| {
        let at = variable.iter().position(|&byte| byte == b'=')?;
        let own = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
        Some((own(&variable[..at]), own(&variable[at + 1..])))
    });
    Some(pairs.collect()).filter(|environment: &Environment| !environment.all().is_empty())
}

/// Refuses to run programs for an agent whose client is not among the ancestors of this process,
/// because the agent may have chosen the environment. Allowed without `/proc`, where no client can
/// be found.
pub(crate) fn refuse_without_client(
    environment: &Environment,
    command: &str,
) -> Result<(), CommandError> {
    let Some(AgentProcess { agent, .. }) = agent_above(environment) else { return Ok(()) };
    if variables_of_agent(environment).is_some() || read("self").is_none() {
        return Ok(());
    }
    Err(CommandError::Refused {
        message: format!(
            "`verger {command}` was called for {agent}, but {agent} did not start this process"
        ),
        hint: format!(
            "run `verger {command}` as a command of its own, not in the background: its work continues even if the shell ends it"
        ),
    })
}

/// The ancestors with their process ids, nearest first.
fn ancestors(environment: &Environment) -> impl Iterator<Item = (u32, Ancestor)> {
    let end = end_of_walk(environment);
    // Reads `self` and not the own id, because in a namespace the id differs from the one in
    // `/proc`.
    let mut parent = read("self").map(|own| own.parent);
    let ancestors = iter::from_fn(move || {
        let pid = parent.filter(|&pid| pid != 0 && Some(pid) != end)?;
        let ancestor = read(&pid.to_string())?;
        parent = Some(ancestor.parent);
        Some((pid, ancestor))
    });
    ancestors.take(MAX_ANCESTORS)
}

/// The process at which the search ends in tests. A developer may run the tests inside an agent.
#[cfg(feature = "fixed")]
fn end_of_walk(environment: &Environment) -> Option<u32> {
    environment.text("VERGER_TEST_ANCESTRY_END")?.parse().ok()
}

#[cfg(not(feature = "fixed"))]
fn end_of_walk(_: &Environment) -> Option<u32> {
    None
}

struct Ancestor {
    parent: u32,
    process: Process,
    is_of_own_run: bool,
}

/// `None` if the process has ended, or is hidden because another user owns it.
fn read(pid: &str) -> Option<Ancestor> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.map(|value| value.trim().to_owned())
    };
    let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let variables = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let process = Process {
        name: field("Name:")?,
        arguments: arguments.split(|&byte| byte == 0).map(text).collect(),
        variables: telling(&variables),
    };
    let is_of_own_run = runs_jobs(&process.arguments) || is_marked(&variables);
    Some(Ancestor { parent: field("PPid:")?.parse().ok()?, process, is_of_own_run })
}

/// Whether the arguments are those of a process of verger that runs other people's code or
/// commands.
fn runs_jobs(arguments: &[String]) -> bool {
    let [program, word, ..] = arguments else { return false };
    program.rsplit('/').next() == Some(OWN_PROGRAM)
        && [supervision::WORD, runner::WORD].contains(&word.as_str())
}

fn is_marked(variables: &[u8]) -> bool {
    let mark = format!("{JOB_VARIABLE}=");
    variables.split(|&byte| byte == 0).any(|variable| variable.starts_with(mark.as_bytes()))
}

/// Keeps only the variables that show an agent, because others may be secret.
fn telling(variables: &[u8]) -> Vec<(String, String)> {
    let pairs = variables.split(|&byte| byte == 0).filter_map(|variable| {
        let at = variable.iter().position(|&byte| byte == b'=')?;
        let (name, value) = variable.split_at(at);
        let name = telling_variables().find(|known| known.as_bytes() == name)?;
        Some((name.to_owned(), text(&value[1..])))
    });
    pairs.collect()
}

fn text(bytes: &[u8]) -> String {
    OsStr::from_bytes(bytes).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_environment_only_what_tells_an_agent_is_taken() {
        let environment = b"ANTHROPIC_API_KEY=sk\0CLAUDECODE=1\0broken\0COPILOT_CLI=a=b\0\0";
        let taken = telling(environment);
        let taken: Vec<_> = taken.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(taken, [("CLAUDECODE", "1"), ("COPILOT_CLI", "a=b")]);
    }

    #[test]
    fn a_run_of_our_own_is_known_by_its_words_or_its_mark() {
        let runs = |words: &[&str]| {
            runs_jobs(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
        };
        assert!(runs(&["/opt/verger", "supervise-job", "run", "/d"]));
        assert!(runs(&["verger", "run-checks"]));
        assert!(!runs(&["verger", "verify"]) && !runs(&["vim", "run-checks"]) && !runs(&[]));
        assert!(is_marked(b"A=1\0VERGER_JOB=/d\0"));
        assert!(!is_marked(b"A=VERGER_JOB=/d\0"));
    }

    #[test]
    fn a_process_is_read_with_its_parent() {
        let own = read("self").unwrap();
        let program = std::env::current_exe().unwrap();
        assert_eq!(own.process.arguments.first().map(String::as_str), program.to_str());
        assert!(!read(&own.parent.to_string()).unwrap().process.name.is_empty());
        assert!(read(&u32::MAX.to_string()).is_none());
    }
}
