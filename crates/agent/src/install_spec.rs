//! Where an agent's program reads hooks, plugins and permissions. `verger init` writes there, and
//! `verger uninstall` removes verger's entries again.

use std::path::PathBuf;

use serde_json::Value;

/// The files and formats of one agent. All paths are relative.
#[derive(Debug, Clone, Copy)]
pub struct InstallSpec {
    /// The program's name, for people.
    pub product: &'static str,
    /// The name of the program's file in `PATH`.
    pub program: &'static str,
    /// The variable that names the program's own directory.
    pub directory_env: DirectoryVariable,
    /// That directory below the home, if the variable is not set.
    pub directory: &'static str,
    /// The file with the user's hooks, in the program's directory.
    pub user_settings: &'static str,
    /// The file with a project's hooks, which its people share, in the project.
    pub project_settings: &'static str,
    /// The file with one person's hooks for a project, in the project. `None` if the program has
    /// no such file.
    pub local_settings: Option<&'static str>,
    /// The possible paths of an administrator's settings, which override all others.
    pub managed_settings: &'static [&'static str],
    /// The variable that tells a hook the project in which the program was started.
    pub project_env: Option<&'static str>,
    /// The directory of the program's worktrees, in the project.
    pub worktrees: Option<&'static str>,
    /// The names of the settings that verger reads.
    pub settings: SettingNames,
    /// The form of a registered hook.
    pub hook_format: HookFormat,
    /// The folder in verger's data directory that exists while verger is registered for all of the
    /// user's projects. Hooks of a project do nothing then, so that no event is reported twice.
    pub user_folder: &'static str,
    /// The plugin by which verger is registered for all of the user's projects. `None`: by hooks in
    /// the user's settings.
    pub plugin: Option<PluginSpec>,
    /// The setting by which a failing hook stops the call. `None` if the program has none.
    pub fail_closed: Option<FailClosed>,
    /// The step by which the person lets hooks for all projects run, if the program demands one.
    pub consent: Option<&'static str>,
    /// The list of hooks that the person trusts, if the program keeps one.
    pub trusted_hooks: Option<TrustedHooks>,
    /// The step by which the person lets a project's hooks run, if the program demands one.
    pub project_consent: Option<&'static str>,
    /// How the person's trust in the hooks can be recorded. `None` if the program demands none, or
    /// only in its own dialog.
    pub trust: Option<HookTrust>,
    /// The file with the commands of verger that need no permission. `None` if the program reads
    /// no such files, or has a list of them in its settings.
    pub rules_file: Option<RulesFile>,
}

/// A list of the hooks that the person trusts. The program runs no others.
#[derive(Debug, Clone, Copy)]
pub struct TrustedHooks {
    /// The TOML file with the list, in the program's directory.
    pub file: &'static str,
    /// The path to the list, a table with a key for each hook.
    pub path: &'static [&'static str],
    /// The key of a hook: its file, its event, the number of its group and its number there.
    pub key: fn(file: &str, event: &str, group: usize, hook: usize) -> String,
    /// The instruction that tells the person how to trust the hooks.
    pub step: &'static str,
}

/// How trust in hooks is recorded for the program, in place of its own dialog.
#[derive(Debug, Clone, Copy)]
pub struct HookTrust {
    /// The file with the trusted hooks, in the program's directory.
    pub file: &'static str,
    /// The arguments with which the program answers requests on its standard input.
    pub arguments: &'static [&'static str],
    /// The requests that ask for all hooks.
    pub requests: &'static str,
    /// The hooks in a line of output. `None` if the line is not the answer.
    pub hooks: fn(line: &str) -> Option<Vec<ListedHook>>,
    /// The header of a hook's section in the file, and the line of the section that trusts it.
    pub section: fn(hook: &ListedHook) -> [String; 2],
}

/// A hook as the program lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedHook {
    /// Its name in the file of trusted hooks.
    pub key: String,
    /// The hash of its current form.
    pub hash: String,
    /// Its command line.
    pub command: String,
    /// The file that registers it.
    pub file: String,
    /// Whether its current form is trusted.
    pub is_trusted: bool,
}

/// A file of rules for tool calls that only verger writes.
#[derive(Debug, Clone, Copy)]
pub struct RulesFile {
    /// Its path, in the program's directory.
    pub path: &'static str,
    /// The rules for these commands of verger, such as `status`.
    pub rules: fn(commands: &[&str]) -> String,
}

/// The variable that moves an agent's own directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectoryVariable {
    /// Its name.
    pub name: &'static str,
    /// The folder inside of the named directory. `None` if the variable names the directory itself.
    pub folder: Option<&'static str>,
}

impl DirectoryVariable {
    /// The agent's directory if the variable has this value.
    pub fn directory(self, value: impl Into<PathBuf>) -> PathBuf {
        let named = value.into();
        self.folder.map_or_else(|| named.clone(), |folder| named.join(folder))
    }
}

/// A plugin in a local directory, and the files in which an agent keeps its plugins.
#[derive(Debug, Clone, Copy)]
pub struct PluginSpec {
    /// The list of known marketplaces, in the program's directory.
    pub known_marketplaces: &'static str,
    /// The list of installed plugins, in the program's directory. The program writes it.
    pub installed_plugins: &'static str,
    /// The files that the program itself makes for verger's plugin, in its directory.
    pub leftovers: &'static [&'static str],
    /// The name of verger's marketplace.
    pub marketplace: &'static str,
    /// The name under which verger's plugin is enabled.
    pub name: &'static str,
    /// The names of the settings for plugins.
    pub settings: PluginSettingNames,
    /// The folder of the user's agents, in the program's directory.
    pub user_agents: &'static str,
    /// The folder of a project's agents, in the project and in the folders above it.
    pub project_agents: &'static str,
    /// Whether the agent in a file may have the name of verger's reviewer.
    pub may_be_namesake: fn(agent_file: &str) -> bool,
}

/// The names of settings for plugins.
#[derive(Debug, Clone, Copy)]
pub struct PluginSettingNames {
    /// The marketplaces beside the program's own.
    pub marketplaces: &'static str,
    /// The enabled plugins.
    pub enabled: &'static str,
    /// The list of the only allowed marketplaces.
    pub marketplaces_limited: &'static str,
    /// The plugins, in the list of installed ones.
    pub installed: &'static str,
}

/// The names of settings.
#[derive(Debug, Clone, Copy)]
pub struct SettingNames {
    /// The hooks, by event.
    pub hooks: &'static str,
    /// The tools that need no permission, if the settings have such a list.
    pub allowed: Option<AllowedTools>,
    /// Variables of the program and of all that it starts.
    pub variables: Option<&'static str>,
    /// The switch that turns all hooks off.
    pub hooks_off: Option<Switch>,
    /// The switch that lets only an administrator's hooks run.
    pub managed_hooks_only: Option<&'static str>,
}

/// A list of tools that need no permission.
#[derive(Debug, Clone, Copy)]
pub struct AllowedTools {
    /// The path to the list.
    pub path: &'static [&'static str],
    /// The entry for a command of verger, such as `status`.
    pub entry: fn(command: &str) -> String,
}

/// A setting that is true or false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// The path to the setting.
    pub path: &'static [&'static str],
    /// The value that turns hooks off.
    pub off: bool,
}

impl Switch {
    /// Whether the settings have the value that turns hooks off.
    pub fn is_off(&self, settings: &Value) -> bool {
        let value = self.path.iter().fold(settings, |value, key| &value[*key]);
        *value == Value::Bool(self.off)
    }

    /// The setting as people write it.
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

/// The form of a registered hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookFormat {
    /// The list of an event's hooks.
    pub list: HookList,
    /// The key of the command line.
    pub command: &'static str,
    /// The key of the time limit.
    pub timeout: &'static str,
    /// How many units of the time limit are one second.
    pub per_second: u32,
    /// A key and number at the top of the file, if the program demands them.
    pub version: Option<(&'static str, u32)>,
}

/// The list of an event's hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookList {
    /// A list of groups, each with a list of hooks.
    Groups,
    /// A list of hooks.
    Flat,
}

/// The setting by which a failing hook stops the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailClosed {
    /// Its key in the hook. Versions that don't know it ignore it.
    pub key: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The versions of the program that are known to ignore it.
    pub ignored_by: &'static [&'static str],
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
        if let Some(switch) = self.settings.hooks_off.filter(|switch| switch.is_off(&settings)) {
            return Some(format!(
                "`{}` is {}",
                switch.name(),
                if switch.off { "on" } else { "off" }
            ));
        }
        let plugin = self
            .plugin
            .map(|plugin| (plugin.name, &settings[plugin.settings.enabled][plugin.name]));
        if let Some((name, Value::Bool(false))) = plugin {
            return Some(format!("the plugin `{name}` is off"));
        }
        let is_on = plugin.is_some_and(|(_, enabled)| *enabled == Value::Bool(true));
        let is_registered =
            is_on || settings[self.settings.hooks].to_string().contains("verger-hook");
        (is_registered_here && !is_registered)
            .then(|| "verger's hooks are not registered".to_owned())
    }

    /// The environment variables that these settings set for the program and its hooks.
    pub fn variables(&self, settings: &[u8]) -> Vec<(String, String)> {
        let settings: Value = serde_json::from_slice(settings).unwrap_or_default();
        let variables = self.settings.variables.and_then(|name| settings[name].as_object());
        let text =
            |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
        variables.into_iter().flatten().filter_map(text).collect()
    }

    /// The entry for a command of verger in the list of tools that need no permission.
    pub fn permission(&self, command: &str) -> Option<String> {
        self.settings.allowed.map(|allowed| (allowed.entry)(command))
    }

    /// The name of the permission for a command of verger, for people.
    pub fn permission_name(&self, command: &str) -> Option<String> {
        let in_rules = self.rules_file.map(|_| format!("verger {command}"));
        self.permission(command).or(in_rules)
    }

    /// The files of the program's directory that decide whether verger's hooks run, and which of
    /// verger's commands need no permission.
    pub fn user_files(&self) -> impl Iterator<Item = &'static str> {
        let plugin =
            self.plugin.map(|plugin| [plugin.known_marketplaces, plugin.installed_plugins]);
        let trust = self.trust.map(|trust| trust.file);
        let rules = self.rules_file.map(|rules| rules.path);
        let optional = plugin.into_iter().flatten().chain(trust).chain(rules);
        [self.user_settings].into_iter().chain(optional)
    }
}

impl PluginSpec {
    /// An enabled plugin that has the name of verger's but is another one. Its agents have the same
    /// names.
    pub fn namesake(&self, settings: &[u8]) -> Option<String> {
        let settings: Value = serde_json::from_slice(settings).ok()?;
        let enabled = settings.get(self.settings.enabled)?.as_object()?;
        let name = |plugin: &str| plugin.split('@').next().unwrap_or_default().to_owned();
        let is_namesake = |(plugin, is_on): &(&String, &Value)| {
            **is_on == Value::Bool(true) && *plugin != self.name && name(plugin) == name(self.name)
        };
        enabled.iter().find(is_namesake).map(|(plugin, _)| plugin.clone())
    }
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
