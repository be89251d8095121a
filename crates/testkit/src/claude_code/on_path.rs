//! The client as users have it: a program named `claude` in `PATH`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{ClaudeCode, variables};
use crate::enclosure::Enclosure;
use crate::environment::TestEnvironment;
use crate::upstream::Upstream;

/// A directory with a `claude` program that uses the upstream. Works until this value is dropped.
pub struct OnPath {
    directory: PathBuf,
    _enclosure: Enclosure,
}

impl OnPath {
    /// The directory to put into `PATH`.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

impl ClaudeCode {
    /// Creates a `claude` program that runs the client in this environment.
    pub fn on_path(&self, environment: &TestEnvironment, upstream: &Upstream) -> OnPath {
        let enclosure = Enclosure::new(environment);
        let (program, first) = self.command.split_first().expect("there is a program");
        let mut command = enclosure.isolated(environment, upstream, program);
        command.args(first);
        let mut script = "#!/bin/sh\n".to_owned();
        for (name, value) in variables(upstream) {
            writeln!(script, "export {name}={}", quoted(&value)).unwrap();
        }
        script.push_str("exec");
        for word in [command.get_program()].into_iter().chain(command.get_args()) {
            write!(script, " {}", quoted(&word.to_string_lossy())).unwrap();
        }
        script.push_str(" \"$@\"\n");
        let directory = environment.root().join("agent");
        environment.write_program(directory.join("claude"), script);
        OnPath { directory, _enclosure: enclosure }
    }
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
