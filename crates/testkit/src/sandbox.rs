//! A client's sandbox, as far as files go: a command in it can read everything and write nothing of
//! the user's but the project.

use std::process::Command;

use crate::environment::TestEnvironment;

impl TestEnvironment {
    /// A shell that runs this line in the sandbox, with the mark that the client's commands have.
    pub fn sandboxed(&self, line: &str) -> Command {
        let mut command = self.command("bwrap");
        command.args(["--dev-bind", "/", "/", "--ro-bind"]).args([self.home(), self.home()]);
        command.arg("--bind").args([self.project(), self.project()]);
        command.args(["--", "bash", "-c", line]).env("CLAUDECODE", "1");
        command
    }
}
