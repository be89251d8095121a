//! All paths that installing reads or writes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use verger_agent::AgentSpec;
use verger_engine::Home;

use crate::invocation::command_error::CommandError;

/// The paths that are the same for all agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnPlaces {
    pub(crate) programs: PathBuf,
    pub(crate) hook_program: PathBuf,
    pub(crate) receipt: PathBuf,
    pub(crate) backups: PathBuf,
}

impl OwnPlaces {
    pub(crate) fn of(home: &Home) -> Self {
        Self {
            programs: home.data.join("bin"),
            hook_program: home.data.join("bin/verger-hook"),
            receipt: home.data.join("install.json"),
            backups: home.data.join("backups"),
        }
    }
}

/// The paths for one agent. They follow from the environment and the working directory only.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(crate) agent: &'static AgentSpec,
    pub(crate) own: OwnPlaces,
    /// The agent's own directory.
    pub(crate) directory: PathBuf,
    pub(crate) user_settings: PathBuf,
    /// The list of known marketplaces, if the agent has plugins.
    pub(crate) known_marketplaces: Option<PathBuf>,
    /// The file of rules, if the agent reads one.
    pub(crate) rules: Option<PathBuf>,
    pub(crate) managed_settings: Vec<PathBuf>,
    pub(crate) project: Project,
    /// The folder of verger's that exists while it is registered for all of the user's projects: the
    /// marketplace, if the agent has plugins.
    pub(crate) user_folder: PathBuf,
}

/// The project in which the command was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Project {
    /// A project with settings of its own.
    At { local_settings: Option<PathBuf>, project_settings: PathBuf },
    /// The directory's settings are the user's own, so there is no project.
    None,
}

/// The reason why the directory of the agent's files is unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoDirectory {
    #[error("find the files of {product}: neither {variable} nor HOME is an absolute path")]
    Unset { product: &'static str, variable: &'static str },
    /// The environment variable has a relative path, so the directory would depend on where the
    /// agent starts.
    #[error(
        "find the files of {product}: {variable} is the relative path {}",
        value.display()
    )]
    Relative { product: &'static str, variable: &'static str, value: PathBuf },
}

impl From<NoDirectory> for CommandError {
    fn from(error: NoDirectory) -> Self {
        let hint = match &error {
            NoDirectory::Unset { product, variable } => {
                format!("set HOME, or {variable} to the directory of {product}")
            }
            NoDirectory::Relative { variable, .. } => {
                format!("set {variable} to an absolute path, or unset it")
            }
        };
        Self::Failed { source: error.into(), hint }
    }
}

impl Places {
    pub(crate) fn new(
        agent: &'static AgentSpec,
        home: &Home,
        variable: impl Fn(&str) -> Option<OsString>,
        project: Option<&Path>,
    ) -> Result<Self, NoDirectory> {
        let install = &agent.install;
        let directory = directory(agent, &variable)?;
        let user_settings = directory.join(install.user_settings);
        let project = project
            .map(|root| Project::At {
                local_settings: install.local_settings.map(|name| root.join(name)),
                project_settings: root.join(install.project_settings),
            })
            .filter(|project| !matches!(project, Project::At { project_settings, .. } if *project_settings == user_settings))
            .unwrap_or(Project::None);
        Ok(Self {
            user_settings,
            known_marketplaces: install
                .plugin
                .map(|plugin| directory.join(plugin.known_marketplaces)),
            rules: install.rules_file.map(|rules| directory.join(rules.path)),
            managed_settings: install.managed_settings.iter().map(PathBuf::from).collect(),
            project,
            user_folder: home.data.join(install.user_folder),
            own: OwnPlaces::of(home),
            agent,
            directory,
        })
    }

    /// The project's settings that belong to one person.
    pub(crate) fn local_settings(&self) -> Option<&Path> {
        match &self.project {
            Project::At { local_settings, .. } => local_settings.as_deref(),
            Project::None => None,
        }
    }

    /// The project's settings that all of its users share.
    pub(crate) fn project_settings(&self) -> Option<&Path> {
        match &self.project {
            Project::At { project_settings, .. } => Some(project_settings),
            Project::None => None,
        }
    }
}

fn directory(
    agent: &AgentSpec,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<PathBuf, NoDirectory> {
    let install = &agent.install;
    let (product, name) = (install.product, install.directory_env.name);
    let path = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    match path(name) {
        Some(value) if value.is_absolute() => Ok(install.directory_env.directory(value)),
        Some(value) => Err(NoDirectory::Relative { product, variable: name, value }),
        None => path("HOME")
            .filter(|home| home.is_absolute())
            .map(|home| home.join(install.directory))
            .ok_or(NoDirectory::Unset { product, variable: name }),
    }
}

/// The top directory of the repository, or the directory itself if there is no repository.
pub(crate) fn project_root(directory: &Path) -> &Path {
    directory.ancestors().find(|path| path.join(".git").exists()).unwrap_or(directory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger_agent::CLAUDE;

    fn places(variables: &[(&str, &str)], project: Option<&str>) -> Result<Places, NoDirectory> {
        let home = Home { data: "/d".into(), config: "/c".into() };
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        };
        Places::new(&CLAUDE, &home, variable, project.map(Path::new))
    }

    #[test]
    fn the_agents_directory_is_its_variables_or_in_the_home() {
        let directory = |variables: &[_]| places(variables, None).map(|places| places.directory);
        assert_eq!(directory(&[("HOME", "/h")]), Ok("/h/.claude".into()));
        assert_eq!(directory(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "/x")]), Ok("/x".into()));
        assert_eq!(
            directory(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "")]),
            Ok("/h/.claude".into())
        );
        assert_eq!(
            directory(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "x")]).unwrap_err().to_string(),
            "find the files of Claude Code: CLAUDE_CONFIG_DIR is the relative path x"
        );
        assert_eq!(
            directory(&[]).unwrap_err().to_string(),
            "find the files of Claude Code: neither CLAUDE_CONFIG_DIR nor HOME is an absolute path"
        );
    }

    #[test]
    fn a_home_that_is_a_repository_is_no_project() {
        let project = |root| places(&[("HOME", "/h")], Some(root)).unwrap().project;
        assert_eq!(project("/h"), Project::None);
        assert_eq!(
            project("/h/p"),
            Project::At {
                local_settings: Some("/h/p/.claude/settings.local.json".into()),
                project_settings: "/h/p/.claude/settings.json".into(),
            }
        );
    }
}
