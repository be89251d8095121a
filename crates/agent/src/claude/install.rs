//! How verger is registered with Claude Code.
//!
//! What makes a plugin of a local directory active in the very first session of all versions
//! tested: `extraKnownMarketplaces` and `enabledPlugins` in the settings *and* an entry in the list
//! of known marketplaces. The program then writes the list of installed plugins, a copy of the plugin
//! and a directory for its data by itself, and runs the hooks from the directory, not from the copy.

use super::namesake;
use crate::install_spec::{HookCommand, InstallSpec, SettingNames};

pub(super) const INSTALL: InstallSpec = InstallSpec {
    product: "Claude Code",
    program: "claude",
    directory_env: "CLAUDE_CONFIG_DIR",
    directory: ".claude",
    user_settings: "settings.json",
    project_settings: ".claude/settings.json",
    local_settings: ".claude/settings.local.json",
    managed_settings: &[
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    ],
    project_env: "CLAUDE_PROJECT_DIR",
    user_agents: "agents",
    project_agents: ".claude/agents",
    known_marketplaces: "plugins/known_marketplaces.json",
    installed_plugins: "plugins/installed_plugins.json",
    settings: SettingNames {
        hooks: "hooks",
        marketplaces: "extraKnownMarketplaces",
        enabled_plugins: "enabledPlugins",
        allowed: &["permissions", "allow"],
        hooks_off: "disableAllHooks",
        managed_hooks_only: "allowManagedHooksOnly",
        marketplaces_limited: "strictKnownMarketplaces",
        installed_plugins: "plugins",
    },
    plugin_leftovers: &["plugins/cache/verger", "plugins/data/verger-verger"],
    marketplace: "verger",
    plugin: "verger@verger",
    settings_hook,
    is_our_hook,
    may_be_namesake: namesake::may_be_namesake,
    permission,
};

/// How our own search for the program begins, in every version.
const SEARCH: &str = "d=${VERGER_HOME:+$VERGER_HOME/data}";

/// Looks where `verger init` puts the program, then on the `PATH`. Where the plugin is installed for
/// all projects it stands back, so that nothing is reported twice.
fn settings_hook(event: &str) -> String {
    format!(
        "{SEARCH}; d=${{d:-${{XDG_DATA_HOME:-$HOME/.local/share}}/verger}}; \
         [ -d \"$d/marketplace\" ] && exit 0; h=$d/bin/verger-hook; \
         [ -x \"$h\" ] || h=$(command -v verger-hook) || exit 0; exec \"$h\" claude {event}"
    )
}

/// However the program is found, the call ends in agent and event. What does more than that was
/// made by somebody else.
fn is_our_hook(event: &str, hook: HookCommand<'_>) -> bool {
    let mut words: Vec<&str> = hook.command.split_whitespace().collect();
    words.extend(hook.arguments);
    let is_one_command = !hook.command.contains([';', '|', '&', '<', '>', '`', '\n']);
    hook.mentions_verger()
        && words.ends_with(&["claude", event])
        && (is_one_command || hook.command.starts_with(SEARCH))
}

fn permission(command: &str) -> String {
    format!("Bash(verger {command}:*)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, arguments: &[&str], expected: bool) {
        assert_eq!(is_our_hook("Stop", HookCommand { command, arguments }), expected, "{command}");
    }

    #[test]
    fn our_hooks_are_known_however_they_were_written() {
        check("~/.local/bin/verger-hook claude Stop", &[], true);
        check("verger-hook  claude Stop ", &[], true);
        check("'/home/dev/my bin/verger-hook' claude Stop", &[], true);
        check(&settings_hook("Stop"), &[], true);
        check("/opt/verger-hook", &["claude", "Stop"], true);
        check("timeout 5 verger-hook claude Stop", &[], true);
        check("verger-hook claude PreToolUse", &[], false);
        check("verger-hook claude Stop && notify-send done", &[], false);
        check("notify-send done; verger-hook claude Stop", &[], false);
        check("tee -a log | verger-hook claude Stop", &[], false);
        check("other-hook claude Stop", &[], false);
        check("/opt/verger-hook", &[], false);
        check("", &[], false);
    }
}
