//! Programs that stand in for ticket systems: they answer the documented commands of `bd` and
//! `tissue` (exit codes, JSON) from tickets that a test wrote, and fail when they are told to.
//!
//! Their state is below the system's own directory in the project, one directory per ticket with a
//! file per field, so that a session of a real agent can list, claim and close them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::environment::TestEnvironment;

const BEADS: &str =
    concat!(include_str!("stand_in/tickets.sh"), "\n", include_str!("stand_in/bd.sh"));
const TISSUE: &str =
    concat!(include_str!("stand_in/tickets.sh"), "\n", include_str!("stand_in/tissue.sh"));

/// A ticket system's program, installed in a test environment.
pub struct StandIn {
    state: PathBuf,
    directory: PathBuf,
}

/// The misbehaviour of a stand-in's command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misbehaviour {
    /// Complains and ends with 1.
    Fail,
    /// Runs on, with a child, until it is killed.
    Hang,
    /// Ends well after half an answer.
    Garble,
    /// Writes three million bytes.
    Flood,
}

impl StandIn {
    /// `bd`, also called `beads`, and a project with `.beads/`.
    pub fn beads(environment: &mut TestEnvironment) -> Self {
        Self::install(environment, ".beads", &["bd", "beads"], BEADS)
    }

    /// `tissue`, and a project with `.tissue/`.
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

    /// Adds a ticket, or replaces it. It is the one changed last.
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

    /// From here on the command misbehaves.
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

    /// From here on the command does its work again.
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
