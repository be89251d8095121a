//! The state of the registration, for `doctor`, `status` and `init` itself.

use std::path::{Path, PathBuf};

use verger_agent::{AgentSpec, Guarding};
use verger_engine::Environment;
use verger_store::with_causes;

use super::found::{Found, look};
use super::places::Places;
use super::plugin_files;
use super::transaction::read;
use crate::config::user_file;
use crate::install::hook_program;
use crate::install::json_text::{JsonText, keys};

/// The state of verger's registration with an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installation {
    pub(crate) plugin: Plugin,
    /// The user's, the project's and the administrator's settings, in that order.
    pub(crate) settings: Vec<SettingsFile>,
    pub(crate) program: Program,
    /// The guard's mode for which the hooks are registered.
    pub(crate) guarding: Guarding,
    /// Whether the folder exists that tells a project's hooks to do nothing.
    has_user_folder: bool,
    /// Files of the plugin that are missing or from another version.
    pub(crate) stale_plugin_files: Vec<&'static str>,
}

/// Whether the plugin is on at user level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plugin {
    Off,
    On,
    /// The agent reads the plugin from this directory, which belongs to another home of verger.
    Elsewhere {
        marketplace: PathBuf,
    },
    /// Some of the entries that turn the plugin on are missing.
    Incomplete {
        missing: Vec<&'static str>,
    },
}

/// A settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SettingsFile {
    pub(crate) path: PathBuf,
    pub(crate) owner: Owner,
    pub(crate) state: SettingsState,
}

/// The owner of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    User,
    Project,
    Local,
    Administrator,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SettingsState {
    Absent,
    /// Neither verger nor the agent can read the file.
    Unreadable {
        problem: String,
    },
    Read(Found),
}

/// The copy of `verger` beside the hook program, which the hook runs for agents in a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beside {
    Runnable,
    Missing,
}

/// The installed copy of the hook program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Program {
    Missing,
    Broken { path: PathBuf, problem: String },
    Present { path: PathBuf, version: String, verger: Beside },
}

impl Installation {
    /// The settings files with hooks of ours.
    pub(crate) fn settings_with_hooks(&self) -> impl Iterator<Item = (&SettingsFile, &Found)> {
        self.settings.iter().filter_map(|file| match &file.state {
            SettingsState::Read(found) if !found.hooks.is_empty() => Some((file, found)),
            _ => None,
        })
    }

    /// Whether the user's settings switch the plugin off.
    pub(crate) fn is_switched_off(&self) -> bool {
        self.settings.iter().any(|file| match &file.state {
            SettingsState::Read(found) => file.owner == Owner::User && found.plugin == Some(false),
            _ => false,
        })
    }

    /// The settings that prevent registered hooks from running.
    pub(crate) fn obstacles(&self, agent: &AgentSpec) -> Vec<String> {
        let names = agent.install.settings;
        let hooks_off = names.hooks_off.map(|switch| switch.name()).unwrap_or_default();
        let managed_hooks_only = names.managed_hooks_only.unwrap_or_default();
        let plugin = agent.install.plugin.map(|plugin| plugin.settings);
        let marketplaces_limited = plugin.map_or("", |names| names.marketplaces_limited);
        let mut obstacles = Vec::new();
        for file in &self.settings {
            let SettingsState::Read(found) = &file.state else { continue };
            let path = file.path.display();
            if found.is_hooks_disabled {
                obstacles.push(format!("{path} switches all hooks off ({hooks_off})"));
            }
            if file.owner == Owner::Administrator && found.is_managed_only {
                let only = "allows only an administrator's hooks";
                obstacles.push(format!("{path} {only} ({managed_hooks_only})"));
            }
            if file.owner == Owner::Administrator && found.is_marketplaces_limited {
                let limited = format!("limits plugin marketplaces ({marketplaces_limited})");
                obstacles.push(format!("{path} {limited}; verger init --local works without one"));
            }
        }
        obstacles
    }

    /// Whether events are reported twice. Hooks that this version wrote do nothing while the plugin
    /// is on; other hooks don't check for the plugin.
    pub(crate) fn is_doubled(&self) -> bool {
        let has_plugin = matches!(self.plugin, Plugin::On | Plugin::Elsewhere { .. })
            || (self.has_user_folder && self.has_user_hooks());
        let repeats = |file: &SettingsFile, found: &Found| {
            // Hooks of the user's settings are the registration that the others would repeat.
            let is_another = file.owner != Owner::User || self.plugin != Plugin::Off;
            !found.repeated.is_empty() || (has_plugin && is_another && !found.outdated.is_empty())
        };
        self.settings_with_hooks().any(|(file, found)| repeats(file, found))
            || (!has_plugin && self.settings_with_hooks().count() > 1)
    }

    /// Whether the hooks for all projects are gone, although nothing took them out: hooks of
    /// projects still do nothing.
    pub(crate) fn has_lost_user_hooks(&self) -> bool {
        self.plugin == Plugin::Off && self.has_user_folder && !self.has_user_hooks()
    }

    /// Whether the folder is missing that tells a project's hooks to do nothing.
    pub(crate) fn lacks_user_folder(&self) -> bool {
        self.has_user_hooks() && !self.has_user_folder
    }

    /// Whether verger is registered by hooks in the user's settings.
    pub(crate) fn has_user_hooks(&self) -> bool {
        self.settings_with_hooks().any(|(file, _)| file.owner == Owner::User)
    }
}

/// Reads the whole registration. Unreadable files are part of the result.
pub(crate) fn inspect(places: &Places, environment: &Environment) -> Installation {
    let owned = |path: &Path, owner| SettingsFile {
        path: path.to_owned(),
        owner,
        state: settings_state(places.agent, path),
    };
    let mut settings = vec![owned(&places.user_settings, Owner::User)];
    settings.extend(places.project_settings().map(|path| owned(path, Owner::Project)));
    settings.extend(places.local_settings().map(|path| owned(path, Owner::Local)));
    settings.extend(places.managed_settings.iter().map(|path| owned(path, Owner::Administrator)));
    let plugin = plugin(places, &settings[0].state);
    // Plugin files of another version are reported as stale, regardless of their mode.
    let guarding = match (&plugin, plugin_files::guarding(places)) {
        (Plugin::On, Some(guarding)) => guarding,
        (Plugin::On, None) => Guarding::Watching,
        _ => guarding_in(&settings),
    };
    Installation {
        plugin,
        settings,
        program: program(places, environment),
        guarding,
        has_user_folder: places.user_folder.is_dir(),
        stale_plugin_files: plugin_files::stale(places, guarding)
            .iter()
            .map(|file| file.path)
            .collect(),
    }
}

/// The guard's mode for which hooks in settings are registered.
fn guarding_in(settings: &[SettingsFile]) -> Guarding {
    let enforces = |file: &SettingsFile| match &file.state {
        SettingsState::Read(found) => !found.enforcing.is_empty(),
        SettingsState::Absent | SettingsState::Unreadable { .. } => false,
    };
    if settings.iter().any(enforces) { Guarding::Enforcing } else { Guarding::Watching }
}

fn settings_state(agent: &AgentSpec, path: &Path) -> SettingsState {
    let bytes = match read(path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return SettingsState::Absent,
        Err(error) => return SettingsState::Unreadable { problem: with_causes(&error) },
    };
    match JsonText::parse(&bytes).and_then(|text| look(agent, &text)) {
        Ok(found) => SettingsState::Read(found),
        Err(error) => SettingsState::Unreadable { problem: error.to_string() },
    }
}

fn plugin(places: &Places, user: &SettingsState) -> Plugin {
    let Some(spec) = &places.agent.install.plugin else { return Plugin::Off };
    let nothing = Found::default();
    let found = match user {
        SettingsState::Read(found) => found,
        SettingsState::Absent | SettingsState::Unreadable { .. } => &nothing,
    };
    let known = places.known_marketplaces.as_deref().and_then(|path| read(path).ok().flatten());
    let known = known.and_then(|bytes| JsonText::parse(&bytes).ok());
    let member = keys(&[spec.marketplace]);
    let is_known = known.is_some_and(|text| matches!(text.value(&member), Ok(Some(_))));
    match (&found.marketplace, found.plugin, is_known) {
        (None, None, false) => Plugin::Off,
        (Some(path), Some(true), true) => match PathBuf::from(path) {
            ours if is_same(&ours, &places.user_folder) => Plugin::On,
            marketplace => Plugin::Elsewhere { marketplace },
        },
        (marketplace, enabled, is_known) => {
            let parts = [
                (marketplace.is_none(), "the marketplace in the settings"),
                (enabled != Some(true), "the plugin in the settings"),
                (!is_known, "the marketplace in the list of known marketplaces"),
            ];
            let missing = parts.into_iter().filter(|(is_missing, _)| *is_missing);
            Plugin::Incomplete { missing: missing.map(|(_, name)| name).collect() }
        }
    }
}

/// Whether both paths lead to the same file. A home may be reached through a link.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

fn program(places: &Places, environment: &Environment) -> Program {
    let path = places.own.hook_program.clone();
    if !path.exists() {
        return Program::Missing;
    }
    match hook_program::version(&path, environment) {
        Ok(version) => {
            let runnable = user_file::is_runnable(&hook_program::verger_beside(&path));
            let verger = if runnable { Beside::Runnable } else { Beside::Missing };
            Program::Present { path, version, verger }
        }
        Err(error) => Program::Broken { path, problem: with_causes(&error) },
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use verger_agent::{CLAUDE, HookScope};
    use verger_engine::Home;

    use super::*;
    use crate::install::registration::{FileKind, Wanted, reconcile};

    /// A home in a temporary directory, with the files of the agent that matter here.
    struct Scene {
        _directory: tempfile::TempDir,
        places: Places,
    }

    impl Scene {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let root = directory.path().to_owned();
            let home = Home { data: root.join("data"), config: root.join("config") };
            let variable = |name: &str| (name == "HOME").then(|| root.clone().into());
            let mut places =
                Places::new(&CLAUDE, &home, variable, Some(&root.join("project"))).unwrap();
            places.managed_settings = vec![root.join("managed.json")];
            Self { _directory: directory, places }
        }

        fn inspect(&self) -> Installation {
            inspect(&self.places, &Environment::default())
        }
    }

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes settings with the hooks of this version.
    fn write_hooks(path: &Path) {
        let wanted = Wanted::settings_hooks(&CLAUDE, Guarding::Watching, HookScope::Project, &[]);
        let empty = JsonText::parse(b"{}").unwrap();
        let text = reconcile(&CLAUDE, FileKind::Settings, &empty, &wanted, None);
        write(path, &String::from_utf8(text.unwrap().to_bytes()).unwrap());
    }

    const PLUGIN: &str = r#"{"enabledPlugins": {"verger@verger": true},
        "extraKnownMarketplaces": {"verger": {"source": {"source": "directory", "path": "/m"}}}}"#;

    #[test]
    fn the_plugin_is_on_when_all_of_it_is_there() {
        let scene = Scene::new();
        assert_eq!(scene.inspect().plugin, Plugin::Off);
        assert_eq!(scene.inspect().program, Program::Missing);
        write(&scene.places.user_settings, PLUGIN);
        let missing = vec!["the marketplace in the list of known marketplaces"];
        assert_eq!(scene.inspect().plugin, Plugin::Incomplete { missing });
        write(scene.places.known_marketplaces.as_ref().unwrap(), r#"{"verger": {}}"#);
        assert_eq!(scene.inspect().plugin, Plugin::Elsewhere { marketplace: "/m".into() });
        let ours = scene.places.user_folder.display().to_string();
        write(&scene.places.user_settings, &PLUGIN.replace("/m", &ours));
        assert_eq!(scene.inspect().plugin, Plugin::On);
        let off = PLUGIN.replace("true", "false");
        write(&scene.places.user_settings, &off);
        let missing = vec!["the plugin in the settings"];
        assert_eq!(scene.inspect().plugin, Plugin::Incomplete { missing });
    }

    #[test]
    fn two_registrations_are_one_too_many_unless_one_stands_back() {
        let scene = Scene::new();
        let (project, local) = (
            scene.places.project_settings().unwrap().to_owned(),
            scene.places.local_settings().unwrap().to_owned(),
        );
        write_hooks(&project);
        assert!(!scene.inspect().is_doubled());
        write_hooks(&local);
        assert!(scene.inspect().is_doubled());
        write(&scene.places.user_settings, PLUGIN);
        write(scene.places.known_marketplaces.as_ref().unwrap(), r#"{"verger": {}}"#);
        assert!(!scene.inspect().is_doubled());
        let old = r#"{"hooks": {"Stop": [{"hooks": [{"command": "verger-hook claude Stop"}]}]}}"#;
        write(&local, old);
        assert!(scene.inspect().is_doubled());
    }

    #[test]
    fn obstacles_of_hooks_are_named() {
        let scene = Scene::new();
        let managed = scene.places.managed_settings[0].clone();
        write(&managed, r#"{"allowManagedHooksOnly": true, "strictKnownMarketplaces": []}"#);
        write(&scene.places.user_settings, r#"{"disableAllHooks": true}"#);
        // `allowManagedHooksOnly` has no effect in a user's own settings.
        let local = scene.places.local_settings().unwrap().to_owned();
        write(&local, r#"{"allowManagedHooksOnly": true}"#);
        let (user, managed) = (scene.places.user_settings.display(), managed.display());
        assert_eq!(
            scene.inspect().obstacles(&CLAUDE),
            [
                format!("{user} switches all hooks off (disableAllHooks)"),
                format!("{managed} allows only an administrator's hooks (allowManagedHooksOnly)"),
                format!(
                    "{managed} limits plugin marketplaces (strictKnownMarketplaces); verger init \
                     --local works without one"
                ),
            ]
        );
    }
}
