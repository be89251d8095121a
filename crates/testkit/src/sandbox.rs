//! The file access of a client's sandbox: a command in it can read all files, but of the user's
//! files it can write only those of the project.

use std::process::Command;

use crate::environment::TestEnvironment;

impl TestEnvironment {
    /// A shell that runs this line in the sandbox, with the environment variable that the client
    /// sets for its commands.
    pub fn sandboxed(&self, line: &str) -> Command {
        let mut command = self.command("bwrap");
        command.args(["--dev-bind", "/", "/", "--ro-bind"]).args([self.home(), self.home()]);
        command.arg("--bind").args([self.project(), self.project()]);
        command.args(["--", "bash", "-c", line]).env("CLAUDECODE", "1");
        command
    }
}
