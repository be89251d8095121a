//! Whether an agent is among the processes that led to this one.
//!
//! Where there is no `/proc`, only this process's own environment tells.

use std::ffi::OsStr;
use std::fs;
use std::iter;
use std::os::unix::ffi::OsStrExt;

use verger_agent::{Process, agent_of, telling_variables};
use verger_hook::Environment;

/// A deeper chain is a loop that a changing process table can seem to have.
const MAX_ANCESTORS: usize = 256;

/// A process that belongs to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentProcess {
    pub(crate) agent: &'static str,
    pub(crate) pid: u32,
}

/// Who reads what a command says. How a gate is opened is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Person,
    Agent,
}

impl Reader {
    /// Whoever runs this process.
    pub(crate) fn of_process(environment: &Environment) -> Self {
        match agent_above(environment) {
            Some(_) => Self::Agent,
            None => Self::Person,
        }
    }
}

/// The nearest agent among the ancestors of this process, itself included: an agent's mark in its
/// own environment stays when the agent's processes are gone.
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
    agents_among_ancestors(environment).next()
}

/// The variables that the outermost agent above this process was started with. Nothing that runs
/// below it can have changed them.
pub(crate) fn variables_of_agent(environment: &Environment) -> Option<Environment> {
    let agent = agents_among_ancestors(environment).last()?;
    let variables = fs::read(format!("/proc/{}/environ", agent.pid)).ok()?;
    let pairs = variables.split(|&byte| byte == 0).filter_map(|variable| {
        let at = variable.iter().position(|&byte| byte == b'=')?;
        let own = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
        Some((own(&variable[..at]), own(&variable[at + 1..])))
    });
    Some(pairs.collect()).filter(|environment: &Environment| !environment.all().is_empty())
}

/// The nearest first.
fn agents_among_ancestors(environment: &Environment) -> impl Iterator<Item = AgentProcess> {
    let end = end_of_walk(environment);
    // Not by its number: in a namespace of its own a process has another one than `/proc` shows.
    let mut parent = read("self").map(|own| own.parent);
    let ancestors = iter::from_fn(move || {
        let pid = parent.filter(|&pid| pid != 0 && Some(pid) != end)?;
        let ancestor = read(&pid.to_string())?;
        parent = Some(ancestor.parent);
        Some((pid, ancestor))
    });
    ancestors.take(MAX_ANCESTORS).filter_map(|(pid, ancestor)| {
        agent_of(&ancestor.process).map(|agent| AgentProcess { agent, pid })
    })
}

/// Tests run below whatever their developer uses, which may be an agent.
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
}

/// Nothing when the process has ended, or is another user's and hidden.
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
    Some(Ancestor { parent: field("PPid:")?.parse().ok()?, process })
}

/// Only what tells an agent is taken: the rest may be secret.
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
    fn a_process_is_read_with_its_parent() {
        let own = read("self").unwrap();
        let program = std::env::current_exe().unwrap();
        assert_eq!(own.process.arguments.first().map(String::as_str), program.to_str());
        assert!(!read(&own.parent.to_string()).unwrap().process.name.is_empty());
        assert!(read(&u32::MAX.to_string()).is_none());
    }
}
