//! Conditions of an approval that depend on the system: the worktrees that the user trusts, the
//! programs that git would start, and the program that a name resolves to.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::Home;
use verger_gate::permission::{Condition, Facts, is_harmless_git_variable};
use verger_shell::Script;
use verger_worktree::self_started;

use crate::Environment;
use crate::trust::trusted_worktree;

const WRITABLE_BY_ALL: u32 = 0o002;
const EXECUTABLE: u32 = 0o111;

/// Maximum number of entries of `PATH` that are checked.
const MAX_ENTRIES: usize = 128;

/// The system's facts about a call.
pub struct EdgeFacts<'a> {
    /// The environment, with the `PATH`.
    pub environment: &'a Environment,
    /// verger's directories, with the user's list of trusted worktrees.
    pub home: Option<&'a Home>,
    /// The project that the agent works in.
    pub root: Option<&'a Path>,
    /// The parsed line.
    pub script: Option<&'a Script>,
}

impl Facts for EdgeFacts<'_> {
    fn broken(&self, condition: &Condition) -> Option<String> {
        match condition {
            Condition::TrustedWorktree { directory } => {
                let is_trusted = self.home.is_some_and(|home| {
                    let user_home = self.environment.get("HOME").map(PathBuf::from);
                    trusted_worktree(home, Path::new(directory), user_home.as_deref())
                });
                (!is_trusted).then(|| "this project is not trusted".to_owned())
            }
            Condition::PlainGitConfig { directory } => self
                .git_variable()
                .or_else(|| self_started(Path::new(directory)))
                .map(|what| format!("git would be affected by {what}")),
            // This condition needs the session, so `definitions` checks it.
            Condition::Unchanged { .. } => None,
            Condition::CleanPath => self.unclean_path(),
        }
    }
}

impl EdgeFacts<'_> {
    /// A `GIT_` variable that makes git read other settings or start programs.
    fn git_variable(&self) -> Option<String> {
        // Clients set these to an editor that does nothing. Commands that read start no editor.
        const NOT_FOR_READING: &[&str] = &["GIT_EDITOR", "GIT_SEQUENCE_EDITOR"];
        // Clients set the pager to `cat`, which only prints.
        let is_plain_pager = |name: &str, value: &OsStr| name == "GIT_PAGER" && value == "cat";
        let variables = self.environment.all().iter();
        let mut variables = variables.filter_map(|(name, value)| Some((name.to_str()?, value)));
        let found = variables.find(|(name, value)| {
            name.starts_with("GIT_")
                && !is_harmless_git_variable(name)
                && !NOT_FOR_READING.contains(name)
                && !is_plain_pager(name, value)
        });
        found.map(|(name, _)| format!("the variable {name}"))
    }

    /// A program on the command line whose name resolves to a file that can't be trusted.
    fn unclean_path(&self) -> Option<String> {
        let Some(path) = self.environment.get("PATH") else {
            return Some("PATH is not set".to_owned());
        };
        let entries: Vec<_> =
            std::env::split_paths(&path).take(MAX_ENTRIES).map(Entry::new).collect();
        let commands = self.script.map_or(&[][..], |script| &script.commands);
        let mut seen = BTreeSet::new();
        let mut names = commands.iter().filter_map(|command| command.program());
        names.find_map(|name| {
            seen.insert(name).then(|| unclean_program(name, &entries, self.root)).flatten()
        })
    }
}

/// A directory in `PATH`. Its properties are looked up when a program is found in it.
struct Entry {
    path: PathBuf,
    found: OnceCell<Found>,
}

/// The properties of a directory in `PATH`.
struct Found {
    real: PathBuf,
    is_writable_by_all: bool,
}

impl Entry {
    fn new(path: PathBuf) -> Self {
        Self { path, found: OnceCell::new() }
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| {
            let real = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
            let mode = fs::metadata(&real).map(|found| found.permissions().mode());
            Found { real, is_writable_by_all: mode.is_ok_and(|mode| mode & WRITABLE_BY_ALL != 0) }
        })
    }
}

fn unclean_program(name: &str, entries: &[Entry], root: Option<&Path>) -> Option<String> {
    if name.contains('/') {
        return None;
    }
    for entry in entries {
        if !entry.path.is_absolute() {
            return Some("PATH has a relative entry".to_owned());
        }
        let program = entry.path.join(name);
        let is_there = fs::metadata(&program)
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & EXECUTABLE != 0);
        if !is_there {
            continue;
        }
        let Found { real, is_writable_by_all } = entry.found();
        if root.is_some_and(|root| real.starts_with(root)) {
            return Some(format!("`{name}` is a program inside this worktree"));
        }
        let is_open = *is_writable_by_all;
        return is_open.then(|| format!("other users may replace `{name}`"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_that_change_what_git_does_count() {
        for (name, value, expected) in [
            ("GIT_SSL_CAINFO", "/etc/ssl/ca.pem", None),
            ("GIT_EDITOR", "true", None),
            ("GIT_PAGER", "cat", None),
            ("NODE_EXTRA_CA_CERTS", "/etc/ssl/ca.pem", None),
            ("GIT_PAGER", "./x", Some("the variable GIT_PAGER")),
            ("GIT_SSH_COMMAND", "./x", Some("the variable GIT_SSH_COMMAND")),
            ("GIT_DIR", "/tmp/x", Some("the variable GIT_DIR")),
            ("GIT_CONFIG_COUNT", "1", Some("the variable GIT_CONFIG_COUNT")),
            ("GIT_TRACE", "/tmp/x", Some("the variable GIT_TRACE")),
        ] {
            let environment = Environment::from_iter([(name.into(), value.into())]);
            let facts =
                EdgeFacts { environment: &environment, home: None, root: None, script: None };
            assert_eq!(facts.git_variable().as_deref(), expected, "{name}={value}");
        }
    }

    #[test]
    fn a_name_must_lead_out_of_the_worktree() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let [inside, open, fine] = ["p/bin", "open", "fine"].map(|name| root.join(name));
        for (directory, name) in [(&inside, "git"), (&open, "ls"), (&fine, "git"), (&fine, "ls")] {
            fs::create_dir_all(directory).unwrap();
            let program = directory.join(name);
            fs::write(&program, "").unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
        let project = root.join("p");
        let check = |name: &str, entries: &[&PathBuf]| {
            let entries: Vec<_> =
                entries.iter().map(|entry| Entry::new((*entry).clone())).collect();
            unclean_program(name, &entries, Some(&project))
        };
        assert_eq!(check("git", &[&fine, &inside]), None);
        let own = Some("`git` is a program inside this worktree".to_owned());
        assert_eq!(check("git", &[&inside, &fine]), own);
        assert_eq!(check("ls", &[&inside, &fine]), None, "it is not there");
        let anybody = Some("other users may replace `ls`".to_owned());
        assert_eq!(check("ls", &[&open, &fine]), anybody);
        let relative = Some("PATH has a relative entry".to_owned());
        assert_eq!(check("ls", &[&PathBuf::from("bin"), &fine]), relative);
        assert_eq!(check("ls", &[&fine, &PathBuf::from("bin")]), None);
        assert_eq!(check("none", &[&fine]), None);
    }
}
