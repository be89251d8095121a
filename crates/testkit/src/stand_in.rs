//! Fake programs of ticket systems. They answer the documented commands of `bd` and `tissue` (exit
//! codes, JSON) with tickets that a test defines, and can be told to fail.
//!
//! Their state is in the system's own directory in the project: one directory per ticket, with one
//! file per field. So a session of a real agent can list, claim and close tickets.

use std::fs;
use std::path::{Path, PathBuf};

use crate::environment::TestEnvironment;

const BEADS: &str =
    concat!(include_str!("stand_in/tickets.sh"), "\n", include_str!("stand_in/bd.sh"));
const TISSUE: &str =
    concat!(include_str!("stand_in/tickets.sh"), "\n", include_str!("stand_in/tissue.sh"));

/// A fake ticket program, installed in a test environment.
pub struct StandIn {
    state: PathBuf,
    directory: PathBuf,
}

/// How a command of the program misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misbehaviour {
    /// Prints an error and exits with 1.
    Fail,
    /// Runs, with a child process, until it is killed.
    Hang,
    /// Prints half of an answer and exits with 0.
    Garble,
    /// Writes three million bytes.
    Flood,
}

impl StandIn {
    /// Installs `bd`, also named `beads`, and creates `.beads/` in the project.
    pub fn beads(environment: &mut TestEnvironment) -> Self {
        Self::install(environment, ".beads", &["bd", "beads"], BEADS)
    }

    /// Installs `tissue`, and creates `.tissue/` in the project.
    pub fn tissue(environment: &mut TestEnvironment) -> Self {
        Self::install(environment, ".tissue", &["tissue"], TISSUE)
    }

    fn install(
        environment: &mut TestEnvironment,
        marker: &str,
        names: &[&str],
        script: &str,
    ) -> Self {
        let directory = environment.root().join("stand-in").join(names[0]);
        for name in names {
            environment.write_program(directory.join(name), script);
        }
        environment.find_programs_in(&directory);
        let state = environment.project().join(marker).join("stand-in");
        fs::create_dir_all(state.join("tickets")).unwrap();
        Self { state, directory }
    }

    /// The directory of the programs.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Adds or replaces a ticket. It gets the latest time of change.
    pub fn ticket(&self, id: &str, status: &str, title: &str, description: &str) -> &Self {
        let ticket = self.state.join("tickets").join(id);
        fs::create_dir_all(&ticket).unwrap();
        let literal = |text: &str| serde_json::Value::from(text).to_string();
        fs::write(ticket.join("title"), literal(title)).unwrap();
        fs::write(ticket.join("description"), literal(description)).unwrap();
        fs::write(ticket.join("status"), status).unwrap();
        let clock = fs::read_to_string(self.state.join("clock")).unwrap_or_default();
        let now = (clock.trim().parse().unwrap_or(0) + 1).to_string();
        fs::write(ticket.join("changed"), &now).unwrap();
        fs::write(self.state.join("clock"), now).unwrap();
        self
    }

    /// Makes the command misbehave from now on.
    pub fn misbehave(&self, command: &str, misbehaviour: Misbehaviour) -> &Self {
        let word = match misbehaviour {
            Misbehaviour::Fail => "fail",
            Misbehaviour::Hang => "hang",
            Misbehaviour::Garble => "garble",
            Misbehaviour::Flood => "flood",
        };
        fs::write(self.state.join(format!("{command}.misbehaves")), word).unwrap();
        self
    }

    /// Makes the command work again.
    pub fn behave(&self, command: &str) -> &Self {
        fs::remove_file(self.state.join(format!("{command}.misbehaves"))).unwrap();
        self
    }

    pub fn status(&self, id: &str) -> String {
        fs::read_to_string(self.state.join("tickets").join(id).join("status")).unwrap()
    }

    /// The arguments of every call so far.
    pub fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.state.join("calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }
}
