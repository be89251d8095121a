//! Where an agent's program reads hooks, plugins and permissions. `verger init` writes there, and
//! `verger uninstall` removes verger's entries again.

use serde_json::Value;

use crate::plugin_hooks::Guarding;

/// The files and formats of one agent. All paths are relative.
#[derive(Debug, Clone, Copy)]
pub struct InstallSpec {
    /// The program's name, for people.
    pub product: &'static str,
    /// The name of the program's file in `PATH`.
    pub program: &'static str,
    /// The variable that names the program's own directory.
    pub directory_env: &'static str,
    /// The program's own directory relative to the home directory, if the variable is not set.
    pub directory: &'static str,
    /// The user's settings file, in the program's directory.
    pub user_settings: &'static str,
    /// A project's shared settings file, in the project.
    pub project_settings: &'static str,
    /// One person's settings file for a project, in the project.
    pub local_settings: &'static str,
    /// Possible paths of an administrator's settings file, which overrides all others.
    pub managed_settings: &'static [&'static str],
    /// The variable with which the program tells a hook the project that it was started in.
    pub project_env: &'static str,
    /// The directory of the user's subagents, in the program's directory.
    pub user_agents: &'static str,
    /// The directory of a project's subagents, in the project and in the directories above it.
    pub project_agents: &'static str,
    /// The directory of the program's worktrees, in the project.
    pub worktrees: &'static str,
    /// The list of known marketplaces, in the program's directory.
    pub known_marketplaces: &'static str,
    /// The list of installed plugins, in the program's directory. The program writes it.
    pub installed_plugins: &'static str,
    /// The names of the settings that verger reads.
    pub settings: SettingNames,
    /// The files that the program creates for verger's plugin, in the program's directory.
    pub plugin_leftovers: &'static [&'static str],
    /// The directory of verger's marketplace, in verger's data directory.
    pub marketplace_folder: &'static str,
    /// The name of verger's marketplace.
    pub marketplace: &'static str,
    /// The name under which verger's plugin is enabled.
    pub plugin: &'static str,
    /// The command of a settings hook for the named event. It contains no user's path, and does
    /// nothing if verger is installed as a plugin. If verger is not installed, it denies the call
    /// if the guard enforces, and does nothing otherwise.
    pub settings_hook: fn(event: &str, guarding: Guarding) -> String,
    /// The key and value that make a failing hook stop the call. Versions without this feature
    /// ignore the key.
    pub fail_closed: (&'static str, &'static str),
    /// The versions that are known to ignore that key.
    pub fails_open: &'static [&'static str],
    /// Whether a settings hook for the named event is verger's. Hooks from all versions of verger
    /// are recognized.
    pub is_our_hook: fn(event: &str, hook: HookCommand<'_>) -> bool,
    /// Whether the subagent defined in a file may have the name of verger's reviewer.
    pub may_be_namesake: fn(agent_file: &str) -> bool,
    /// The permission entry for a command of verger, such as `status`.
    pub permission: fn(command: &str) -> String,
}

impl InstallSpec {
    /// The reason why these settings turn verger's hooks off, if they do. `is_registered_here` is
    /// true if verger was registered in this file. Unreadable settings turn nothing off, because
    /// the program ignores them.
    pub fn turns_hooks_off(&self, settings: &[u8], is_registered_here: bool) -> Option<String> {
        let text = std::str::from_utf8(settings).ok()?;
        let settings: Value = match text.trim() {
            "" => Value::Null,
            text => serde_json::from_str(text).ok()?,
        };
        let SettingNames { hooks_off, enabled_plugins, hooks, .. } = self.settings;
        if settings[hooks_off] == Value::Bool(true) {
            return Some(format!("`{hooks_off}` is on"));
        }
        let plugin = &settings[enabled_plugins][self.plugin];
        if *plugin == Value::Bool(false) {
            return Some(format!("the plugin `{}` is off", self.plugin));
        }
        let is_registered =
            *plugin == Value::Bool(true) || settings[hooks].to_string().contains("verger-hook");
        (is_registered_here && !is_registered)
            .then(|| "verger's hooks are not registered".to_owned())
    }

    /// The environment variables that these settings set for the program and its hooks.
    pub fn variables(&self, settings: &[u8]) -> Vec<(String, String)> {
        let settings: Value = serde_json::from_slice(settings).unwrap_or_default();
        let variables = settings[self.settings.variables].as_object().into_iter().flatten();
        let text =
            |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
        variables.filter_map(text).collect()
    }

    /// An enabled plugin that has the same name as verger's plugin but comes from elsewhere. Its
    /// subagents have the same names as verger's.
    pub fn namesake_plugin(&self, settings: &[u8]) -> Option<String> {
        let settings: Value = serde_json::from_slice(settings).ok()?;
        let enabled = settings.get(self.settings.enabled_plugins)?.as_object()?;
        let name = |plugin: &str| plugin.split('@').next().unwrap_or_default().to_owned();
        let is_namesake = |(plugin, is_on): &(&String, &Value)| {
            **is_on == Value::Bool(true)
                && *plugin != self.plugin
                && name(plugin) == name(self.plugin)
        };
        enabled.iter().find(is_namesake).map(|(plugin, _)| plugin.clone())
    }
}

/// The names of settings, and of a key in the list of installed plugins.
#[derive(Debug, Clone, Copy)]
pub struct SettingNames {
    /// The hooks, by event.
    pub hooks: &'static str,
    /// The marketplaces, in addition to the program's own.
    pub marketplaces: &'static str,
    /// The enabled plugins.
    pub enabled_plugins: &'static str,
    /// The keys that lead to the list of tools that need no permission.
    pub allowed: &'static [&'static str],
    /// Environment variables for the program and its child processes.
    pub variables: &'static str,
    /// The key that turns all hooks off.
    pub hooks_off: &'static str,
    /// The key that turns all hooks off except an administrator's.
    pub managed_hooks_only: &'static str,
    /// The list of the only marketplaces that are allowed.
    pub marketplaces_limited: &'static str,
    /// The key of the plugins in the list of installed plugins.
    pub installed_plugins: &'static str,
}

/// The command of a hook in the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookCommand<'a> {
    /// The command line, or the program if there are arguments.
    pub command: &'a str,
    /// Arguments that are passed without a shell. Empty if `command` is a command line.
    pub arguments: &'a [&'a str],
}

impl HookCommand<'_> {
    /// Whether the command mentions verger's hook program.
    pub fn mentions_verger(&self) -> bool {
        let words = std::iter::once(&self.command).chain(self.arguments);
        words.into_iter().any(|word| word.contains("verger-hook"))
    }
}

#[cfg(test)]
mod tests {
    use crate::CLAUDE;

    #[test]
    fn the_variables_of_settings_are_known() {
        let found = CLAUDE.install.variables(br#"{"env":{"A":"b","C":1},"hooks":{"D":"e"}}"#);
        assert_eq!(found, [("A".to_owned(), "b".to_owned())]);
        for none in ["", "{", "[]", r#"{"env":"A"}"#] {
            assert_eq!(CLAUDE.install.variables(none.as_bytes()), [], "{none}");
        }
    }

    #[test]
    fn settings_that_turn_the_hooks_off_are_known() {
        let plugin_off = Some("the plugin `verger@verger` is off");
        let gone = Some("verger's hooks are not registered");
        for (settings, is_registered_here, expected) in [
            (r#"{"disableAllHooks":true}"#, false, Some("`disableAllHooks` is on")),
            (r#"{"disableAllHooks":false}"#, false, None),
            (r#"{"enabledPlugins":{"verger@verger":false}}"#, false, plugin_off),
            (r#"{"enabledPlugins":{"verger@verger":true}}"#, true, None),
            (
                r#"{"hooks":{"Stop":[{"hooks":[{"command":"verger-hook claude Stop"}]}]}}"#,
                true,
                None,
            ),
            (r#"{"hooks":{}}"#, true, gone),
            (r#"{"hooks":{}}"#, false, None),
            ("", true, gone),
            ("", false, None),
            ("{", true, None),
            ("[]", true, gone),
        ] {
            let found = CLAUDE.install.turns_hooks_off(settings.as_bytes(), is_registered_here);
            assert_eq!(found.as_deref(), expected, "{settings}");
        }
    }
}
