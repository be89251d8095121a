//! Reads the configuration files and resolves them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Home;
use verger_config::{Layers, Problem, ProblemKind, Project, ProjectTrust, Settings, Source};
use verger_store::Options;
use verger_worktree::Surroundings;

use crate::Environment;
use crate::bounded_file::read_bounded;
use crate::gates::tool_patterns;
use crate::trust::{content_hash, read_trust};

/// Settings, and the problems in their files.
pub struct LoadedSettings {
    /// The effective settings.
    pub settings: Box<Settings>,
    /// The problems, one line each: the fault, its location, and a correct value.
    pub problems: Vec<String>,
    /// Keys in the project's file that have no effect, because the project is not trusted.
    pub untrusted_keys: Vec<String>,
}

impl LoadedSettings {
    /// The settings for a run that verger itself started. `variable` is the environment variable
    /// that marks the run.
    #[must_use]
    pub(crate) fn inside_run(self, variable: &str) -> Self {
        Self { settings: Box::new(self.settings.inside_run(variable)), ..self }
    }

    /// The options with which the log is opened.
    pub fn store_options(&self) -> Options {
        Options {
            lock_wait: Duration::from_millis(self.settings.store.lock_wait_ms.value),
            secret_names: self.settings.redact.key_names.value.clone(),
        }
    }
}

/// Resolves the settings for an agent that works in `cwd`.
pub fn load_settings(home: &Home, cwd: Option<&Path>, environment: &Environment) -> LoadedSettings {
    load_settings_in(&environment.surroundings(cwd), home, environment)
}

/// Like [`load_settings`], for a project that is already located.
pub(crate) fn load_settings_in(
    surroundings: &Surroundings,
    home: &Home,
    environment: &Environment,
) -> LoadedSettings {
    ConfigFiles::read_in(surroundings, home).resolve(environment)
}

/// The configuration files that apply in a directory, with their contents.
#[derive(Default)]
pub struct ConfigFiles {
    /// The user's file.
    pub user: Option<ConfigFile>,
    /// The project's file.
    pub project: Option<ProjectFile>,
    /// The files that could not be read, and why.
    pub problems: Vec<String>,
}

/// A configuration file and its content.
pub struct ConfigFile {
    /// The path. For a project's file it is canonical.
    pub path: PathBuf,
    /// The content, cut at one byte over the size limit: that byte shows that the file is too
    /// large.
    pub bytes: Vec<u8>,
}

/// A project's configuration file and whether the user trusts what is in it.
pub struct ProjectFile {
    /// The file.
    pub file: ConfigFile,
    /// Whether the user trusts the content.
    pub trust: ProjectTrust,
}

impl ConfigFiles {
    /// Reads the user's file and the file of the project that `cwd` belongs to.
    pub fn read(home: &Home, cwd: Option<&Path>, environment: &Environment) -> Self {
        Self::read_in(&environment.surroundings(cwd), home)
    }

    fn read_in(surroundings: &Surroundings, home: &Home) -> Self {
        let mut files = Self::default();
        files.user = files.read_file(home.config_file());
        match surroundings.project_config() {
            Ok(path) => {
                let file = path.and_then(|path| files.read_file(path));
                files.project = file.map(|file| files.with_trust(home, file));
            }
            Err(refused) => files.problems.push(refused.to_string()),
        }
        files
    }

    fn read_file(&mut self, path: PathBuf) -> Option<ConfigFile> {
        match read_bounded(&path) {
            Ok(bytes) => bytes.map(|bytes| ConfigFile { path, bytes }),
            Err(error) => {
                self.problems.push(format!("{}: {error}", path.display()));
                None
            }
        }
    }

    fn with_trust(&mut self, home: &Home, file: ConfigFile) -> ProjectFile {
        let trust = match read_trust(home) {
            Ok(list) => file.path.to_str().map_or(ProjectTrust::Untrusted, |path| {
                list.trust_in(path, &content_hash(&file.bytes))
            }),
            Err(error) => {
                self.problems.push(format!("{error}; no project is trusted"));
                ProjectTrust::Untrusted
            }
        };
        ProjectFile { file, trust }
    }

    /// Resolves the settings from the files and the environment.
    pub fn resolve(&self, environment: &Environment) -> LoadedSettings {
        let (settings, found) = self.resolve_with(&environment.settings());
        let mut problems = self.problems.clone();
        problems.extend(found.iter().map(ToString::to_string));
        let untrusted = found.iter().filter_map(|problem| match &problem.kind {
            ProblemKind::Untrusted { key } => Some(key.clone()),
            _ => None,
        });
        LoadedSettings { settings, problems, untrusted_keys: untrusted.collect() }
    }

    /// Resolves the settings from the files and these variables, with the problems found.
    pub fn resolve_with(
        &self,
        variables: &[(OsString, OsString)],
    ) -> (Box<Settings>, Vec<Problem>) {
        let name = |file: &ConfigFile| file.path.display().to_string();
        let user_name = self.user.as_ref().map(name).unwrap_or_default();
        let project_name = self.project.as_ref().map(|p| name(&p.file)).unwrap_or_default();
        let layers = Layers {
            user: self.user.as_ref().map(|user| Source { file: &user_name, bytes: &user.bytes }),
            project: self.project.as_ref().map(|project| Project {
                source: Source { file: &project_name, bytes: &project.file.bytes },
                trust: project.trust,
            }),
            environment: variables,
        };
        let (settings, mut problems) = verger_config::resolve(&layers);
        problems.extend(tool_patterns::problems(&settings));
        (settings, problems)
    }
}
