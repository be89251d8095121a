//! How verger is registered with Claude Code.
//!
//! In all tested versions, a plugin in a local directory is active from the first session if two
//! things exist: `extraKnownMarketplaces` and `enabledPlugins` in the settings, and an entry in
//! the list of known marketplaces. The program then creates the list of installed plugins, a copy
//! of the plugin and the plugin's data directory. It runs the hooks from the local directory, not
//! from the copy.

use super::namesake;
use crate::install_spec::{
    AllowedTools, DirectoryVariable, FailClosed, HookFormat, HookList, InstallSpec,
    PluginSettingNames, PluginSpec, SettingNames, Switch,
};

pub(super) const INSTALL: InstallSpec = InstallSpec {
    product: "Claude Code",
    program: "claude",
    directory_env: DirectoryVariable { name: "CLAUDE_CONFIG_DIR", folder: None },
    directory: ".claude",
    user_settings: "settings.json",
    project_settings: ".claude/settings.json",
    local_settings: Some(".claude/settings.local.json"),
    managed_settings: &[
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    ],
    project_env: Some("CLAUDE_PROJECT_DIR"),
    worktrees: Some(".claude/worktrees"),
    settings: SettingNames {
        hooks: "hooks",
        allowed: Some(AllowedTools { path: &["permissions", "allow"], entry: permission }),
        variables: Some("env"),
        hooks_off: Some(Switch { path: &["disableAllHooks"], off: true }),
        managed_hooks_only: Some("allowManagedHooksOnly"),
    },
    hook_format: HookFormat {
        list: HookList::Groups,
        command: "command",
        timeout: "timeout",
        per_second: 1,
        version: None,
    },
    user_folder: "marketplace",
    plugin: Some(PluginSpec {
        known_marketplaces: "plugins/known_marketplaces.json",
        installed_plugins: "plugins/installed_plugins.json",
        leftovers: &["plugins/cache/verger", "plugins/data/verger-verger"],
        marketplace: "verger",
        name: "verger@verger",
        settings: PluginSettingNames {
            marketplaces: "extraKnownMarketplaces",
            enabled: "enabledPlugins",
            marketplaces_limited: "strictKnownMarketplaces",
            installed: "plugins",
        },
        user_agents: "agents",
        project_agents: ".claude/agents",
        may_be_namesake: namesake::may_be_namesake,
    }),
    fail_closed: Some(FailClosed { key: "onFailure", value: "block", ignored_by: &["2.1.197"] }),
    trusted_hooks: None,
    consent: None,
    project_consent: None,
    trust: None,
    rules_file: None,
};

fn permission(command: &str) -> String {
    format!("Bash(verger {command}:*)")
}
