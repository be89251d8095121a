//! A program that goes on when whoever started it is gone.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Starts a program that nobody waits for, reads or ends. It should [`begin_session`] first of all.
///
/// In the caller's process group, because only who leads no group can begin a session.
#[expect(clippy::disallowed_methods, reason = "the one program that must not end with us")]
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

/// Leaves the session of whoever started this process, so that its end is not ours.
pub fn begin_session() {
    // Fails only for who begins a session already.
    let _is_own_session = rustix::process::setsid();
}
