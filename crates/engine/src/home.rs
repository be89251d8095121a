//! The directories in which verger keeps its files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use verger_store_local::{REVIEWS, TREES, VERIFICATIONS, name_of_path};

/// The user's two directories, located from environment variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The directory of the log, the snapshots and the index.
    pub data: PathBuf,
    /// The directory of `config.toml` and `trust.json`.
    pub config: PathBuf,
}

/// No directory for verger's files was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("find verger's home directory: neither VERGER_HOME nor HOME is an absolute path")]
pub struct NoHome;

impl Home {
    /// Locates the directories. If `VERGER_HOME` is set, both are in it; otherwise they are the
    /// XDG directories. A relative path is ignored, because it would depend on the working
    /// directory.
    pub fn locate(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, NoHome> {
        let absolute = |name: &str| variable(name).and_then(absolute);
        if let Some(root) = absolute("VERGER_HOME") {
            return Ok(Self { data: root.join("data"), config: root.join("config") });
        }
        let home = absolute("HOME");
        let place = |xdg: &str, fallback: &str| {
            let base = absolute(xdg).or_else(|| Some(home.as_ref()?.join(fallback)));
            base.map(|base| base.join("verger")).ok_or(NoHome)
        };
        Ok(Self {
            data: place("XDG_DATA_HOME", ".local/share")?,
            config: place("XDG_CONFIG_HOME", ".config")?,
        })
    }

    /// The directory of the start trees that a session's tasks are compared with.
    pub fn trees(&self, stem: &str) -> PathBuf {
        self.data.join(TREES).join(stem)
    }

    /// The directory with the reviews that verger runs for a session. Each review has a
    /// subdirectory.
    pub fn reviews(&self, stem: &str) -> PathBuf {
        self.data.join(REVIEWS).join(stem)
    }

    /// The directory of undo copies: files that a call may destroy and that are in no repository.
    pub fn undo_copies(&self) -> PathBuf {
        self.data.join("undo")
    }

    /// The directory of the verifications of a session's work. Each verification has a
    /// subdirectory.
    pub fn verifications(&self, stem: &str) -> PathBuf {
        self.data.join(VERIFICATIONS).join(stem)
    }

    /// The directory of verifications outside of any session, for the project with this canonical
    /// root.
    pub fn own_verifications(&self, root: &Path) -> PathBuf {
        self.data.join(VERIFICATIONS).join(name_of_path(root.as_os_str()))
    }

    /// The directory of the search index over a project's learnings, by the project's canonical
    /// root. Each working tree of a project has its own index, because the files differ.
    pub fn recall(&self, root: &Path) -> PathBuf {
        self.data.join("recall").join(name_of_path(root.as_os_str()))
    }

    /// The directory for the state of the daily check for abandoned sessions.
    pub fn left_sessions(&self) -> PathBuf {
        self.data.join("left")
    }

    /// The user's configuration file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The user's rules for the guard.
    pub fn guard_file(&self) -> PathBuf {
        self.config.join("guard.toml")
    }

    /// The list of project files that the user trusts.
    pub fn trust_file(&self) -> PathBuf {
        self.config.join("trust.json")
    }
}

fn absolute(value: OsString) -> Option<PathBuf> {
    Some(PathBuf::from(value)).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Result<(&str, &str), NoHome>) {
        let found = Home::locate(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        });
        let expected =
            expected.map(|(data, config)| Home { data: data.into(), config: config.into() });
        assert_eq!(found, expected);
    }

    #[test]
    fn the_home_is_found_by_the_first_absolute_path() {
        check(&[("VERGER_HOME", "/v"), ("HOME", "/h")], Ok(("/v/data", "/v/config")));
        check(&[("HOME", "/h")], Ok(("/h/.local/share/verger", "/h/.config/verger")));
        check(
            &[("HOME", "/h"), ("XDG_DATA_HOME", "/d"), ("XDG_CONFIG_HOME", "/c")],
            Ok(("/d/verger", "/c/verger")),
        );
        check(
            &[("HOME", "/h"), ("XDG_DATA_HOME", "d")],
            Ok(("/h/.local/share/verger", "/h/.config/verger")),
        );
        check(&[("VERGER_HOME", "relative"), ("HOME", "")], Err(NoHome));
        check(&[("XDG_DATA_HOME", "/d")], Err(NoHome));
        check(&[], Err(NoHome));
    }
}
