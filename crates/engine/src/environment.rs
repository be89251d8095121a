//! A snapshot of the environment. It may contain the agent's own keys, so code reads variables
//! only by name and never writes the whole environment to disk.

use std::ffi::OsString;
use std::path::Path;

use verger_worktree::Surroundings;

/// A snapshot of the process's environment.
#[derive(Debug, Clone, Default)]
pub struct Environment(Vec<(OsString, OsString)>);

impl FromIterator<(OsString, OsString)> for Environment {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(variables: I) -> Self {
        Self(variables.into_iter().collect())
    }
}

impl Environment {
    /// The environment of this process.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn of_process() -> Self {
        Self(std::env::vars_os().collect())
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<OsString> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// The value of a variable that is text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.into_string().ok()
    }

    /// The project around a directory. The search for its root stops at this environment's home
    /// directory.
    pub fn surroundings(&self, cwd: Option<&Path>) -> Surroundings {
        let home = self.get("HOME");
        Surroundings::of(cwd, home.as_ref().map(Path::new))
    }

    /// All variables, for a program that must run in this environment.
    pub fn all(&self) -> &[(OsString, OsString)] {
        &self.0
    }

    /// The variables that are settings of verger.
    pub fn settings(&self) -> Vec<(OsString, OsString)> {
        let is_ours = |(name, _): &&(OsString, _)| verger_config::is_relevant_variable(name);
        self.0.iter().filter(is_ours).cloned().collect()
    }
}
