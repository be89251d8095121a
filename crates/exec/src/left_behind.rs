//! Starts a program that outlives the process that started it.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Starts a program that outlives this process. No process waits for the program or kills it. The
/// program should call [`begin_session`] first.
///
/// The program starts in the caller's process group, because the leader of a process group can't
/// begin a session.
#[expect(clippy::disallowed_methods, reason = "this program must outlive its caller")]
pub fn leave_behind<A: AsRef<OsStr>, K: AsRef<OsStr>, V: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = A>,
    environment: impl IntoIterator<Item = (K, V)>,
) -> io::Result<()> {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(environment).current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

/// Begins a new session for this process, so that the end of its parent's session does not end it.
pub fn begin_session() {
    // `setsid` fails only if this process already leads a process group.
    let _is_own_session = rustix::process::setsid();
}
