//! Checks that an event comes from the agent's client and not from another program, by the
//! process that sent it.
//!
//! A client gives a hook its payload through a socket that the client made, and the operating
//! system reports which process made a socket. A program that the agent runs as a tool can't use
//! the client's socket: a socket of its own names its own process.

use std::fmt;

/// A process, identified by its id and the clock tick at which it started. The id alone is not
/// enough, because the system reuses ids.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ClientProcess {
    pid: u32,
    started: u64,
}

impl fmt::Display for ClientProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.pid, self.started)
    }
}

impl ClientProcess {
    fn parse(text: &str) -> Option<Self> {
        let (pid, started) = text.split_once('@')?;
        Some(Self { pid: pid.parse().ok()?, started: started.parse().ok()? })
    }

    /// Whether this process is still running.
    fn is_running(&self) -> bool {
        started(self.pid) == Some(self.started)
    }
}

/// Why an event is not from the session's client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotClient {
    /// The payload came through a socket that another process made.
    #[error(
        "process {sender} sent this event, and process {client} is the session's client; see SECURITY.md"
    )]
    Other {
        /// The process that made the socket.
        sender: u32,
        /// The session's client.
        client: u32,
    },
    /// The payload came through a pipe, a file or a terminal.
    #[error(
        "a program other than the session's client (process {client}) sent this event; see SECURITY.md"
    )]
    NoSocket {
        /// The session's client.
        client: u32,
    },
}

/// The process that made the socket of standard input, in the form that the log stores. `None` if
/// standard input is no socket, or if the system doesn't report the process.
pub(crate) fn sender() -> Option<String> {
    sending_process().map(|process| process.to_string())
}

/// Whether the process is still running. `process` has the form that the log stores.
pub(crate) fn is_running(process: &str) -> bool {
    ClientProcess::parse(process).is_some_and(|process| process.is_running())
}

/// Checks that the session's client sent the event. Returns `None` if it did, or if the session's
/// client is unknown.
pub(crate) fn check(client: Option<&str>) -> Option<NotClient> {
    judge(&client.and_then(ClientProcess::parse)?, sending_process())
}

fn judge(client: &ClientProcess, sender: Option<ClientProcess>) -> Option<NotClient> {
    match sender {
        Some(sender) if sender == *client => None,
        Some(sender) => Some(NotClient::Other { sender: sender.pid, client: client.pid }),
        None => Some(NotClient::NoSocket { client: client.pid }),
    }
}

#[cfg(target_os = "linux")]
fn sending_process() -> Option<ClientProcess> {
    let made_by = rustix::net::sockopt::socket_peercred(rustix::stdio::stdin()).ok()?;
    let pid = u32::try_from(made_by.pid.as_raw_nonzero().get()).ok()?;
    Some(ClientProcess { pid, started: started(pid)? })
}

#[cfg(not(target_os = "linux"))]
fn sending_process() -> Option<ClientProcess> {
    None
}

/// The time at which a process started, in clock ticks since the system started.
fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses, and the name may contain
    // parentheses.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_client_itself_is_the_client() {
        let process = |pid, started| ClientProcess { pid, started };
        let other = |sender| Some(NotClient::Other { sender, client: 4 });
        for (sender, expected) in [
            (Some(process(4, 7)), None),
            (Some(process(5, 7)), other(5)),
            (Some(process(4, 8)), other(4)),
            (None, Some(NotClient::NoSocket { client: 4 })),
        ] {
            assert_eq!(judge(&process(4, 7), sender.clone()), expected, "{sender:?}");
        }
    }

    #[test]
    fn a_process_is_kept_as_text() {
        let process = ClientProcess { pid: 4711, started: 98_765 };
        assert_eq!(process.to_string(), "4711@98765");
        assert_eq!(ClientProcess::parse("4711@98765"), Some(process));
        for text in ["", "4711", "@", "x@1", "1@x"] {
            assert_eq!(ClientProcess::parse(text), None, "{text}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_runs_is_known_by_its_start() {
        let pid = std::process::id();
        let process = ClientProcess { pid, started: started(pid).unwrap() };
        assert!(process.is_running());
        assert!(!ClientProcess { started: process.started + 1, ..process }.is_running());
    }
}
